// What a query of a list of calls looks at: of the calls, and of their agents.

import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import { selectedFields } from '../contacts/selection.graphql.ts'
import type { SelectedCalls } from './call-page.ts'

// A compiled document gives its resolvers the same list of nodes each time.
const known = new WeakMap<readonly FieldNode[], SelectedCalls>()

export function selectedCalls(info: GraphQLResolveInfo): SelectedCalls {
  let selected = known.get(info.fieldNodes)
  if (!selected) {
    const fields = selectedFields(info)
    known.set(info.fieldNodes, (selected = { fields, agent: fields.has('agent') ? underAgent(info) : undefined }))
  }
  return selected
}

// Wherever under the list an `agent` stands, its fields are taken: too many cost little, too few would be missing.
function underAgent({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
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
