// Derives from a query for a list of calls which columns of the calls and of their agents to select.

import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import type { Selection } from '../../database/table.ts'
import { selectedFields, selectedRows } from '../../graphql/schema/selection.graphql.ts'
import { agents, type VoiceAgent } from '../agents/agent.sql.ts'
import type { SelectedCalls } from './list.ts'
import { calls } from './row.ts'

// A compiled document gives its resolvers the same list of nodes each time.
const known = new WeakMap<readonly FieldNode[], SelectedCalls>()

export function selectedCalls(info: GraphQLResolveInfo): SelectedCalls {
  let selected = known.get(info.fieldNodes)
  if (!selected) {
    const fields = selectedFields(info)
    selected = {
      rows: selectedRows(info, calls, ['createdAt', 'id', 'agentId', 'contactId', 'loadedAgent', 'loadedContact']),
      agent: fields.has('agent') ? agentSelection(fieldsOfAgents(info)) : undefined,
      withContact: fields.has('contact'),
    }
    known.set(info.fieldNodes, selected)
  }
  return selected
}

function agentSelection(fields: ReadonlySet<string>): Selection<VoiceAgent> {
  const names = [...fields].filter(field => field !== '__typename')
  // The type has all properties, because resolvers see only agents whose properties their fields need.
  return names.every(name => agents.has(name)) ? (agents.selectAsked(['id', ...names]) as Selection<VoiceAgent>) : agents.all
}

// Collects the fields of every `agent` below the list, at any level: an unneeded column costs little, a missing one breaks a field.
function fieldsOfAgents({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const names = new Set<string>()
  const walk = (set: SelectionSetNode | undefined, inAgent: boolean): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (inAgent) names.add(selection.name.value)
        walk(selection.selectionSet, selection.name.value === 'agent')
      } else walk((selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection)?.selectionSet, inAgent)
    }
  }
  for (const node of fieldNodes) walk(node.selectionSet, false)
  return names
}
