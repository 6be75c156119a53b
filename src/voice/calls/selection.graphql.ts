// Derives from a query for a list of calls which columns of the calls and of their agents to select.

import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import { selectedFields, selectedRows } from '../../graphql/schema/lists/selection.graphql.ts'
import type { Context } from '../../kernel/context.ts'
import { perObject } from '../../kernel/per-object.ts'
import { agents } from '../agents/agent.sql.ts'
import type { SelectedCalls } from './list.ts'
import { calls, type ListedCall, listedProperties } from './row.ts'

// The field `calls` of each contact of a page has the same AST nodes, so the selection is derived once for all of them.
const selectionsOf = perObject((_: Context) => new Map<readonly FieldNode[], SelectedCalls<ListedCall>>())

export function selectedCalls(context: Context, info: GraphQLResolveInfo): SelectedCalls<ListedCall> {
  const selections = selectionsOf(context)
  let selection = selections.get(info.fieldNodes)
  if (!selection) {
    const fields = selectedFields(info)
    selection = {
      rows: selectedRows(info.schema, 'Call', fields, calls, listedProperties),
      agent: fields.includes('voiceAgent') ? selectedRows(info.schema, 'VoiceAgent', fieldsOfAgents(info), agents, ['id']) : undefined,
      withContact: fields.includes('contact'),
    }
    selections.set(info.fieldNodes, selection)
  }
  return selection
}

// Collects the fields of every `voiceAgent` below the list, at any level. An unneeded column costs little; a missing one would break a
// field.
function fieldsOfAgents({ fieldNodes, fragments }: GraphQLResolveInfo): string[] {
  const names: string[] = []
  const walk = (set: SelectionSetNode | undefined, inAgent: boolean): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (inAgent) names.push(selection.name.value)
        walk(selection.selectionSet, selection.name.value === 'voiceAgent')
      } else walk((selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection)?.selectionSet, inAgent)
    }
  }
  for (const node of fieldNodes) walk(node.selectionSet, false)
  return names
}
