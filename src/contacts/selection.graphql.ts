// Which fields of its rows a query of a list selects, so that the database need not send the others.

import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'

// A compiled document gives its resolvers the same list of nodes each time.
const known = new WeakMap<readonly FieldNode[], ReadonlySet<string>>()

/** The names of the fields selected under `nodes` and `edges { node }`, those that a directive may skip included. */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  let names = known.get(fieldNodes)
  if (!names) {
    const selected = ({ selections }: SelectionSetNode): FieldNode[] =>
      selections.flatMap(selection => {
        if (selection.kind === Kind.FIELD) return [selection]
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection
        return fragment ? selected(fragment.selectionSet) : []
      })
    const under = (nodes: readonly FieldNode[]) => nodes.flatMap(({ selectionSet }) => (selectionSet ? selected(selectionSet) : []))
    const named = (nodes: readonly FieldNode[], name: string) => nodes.filter(node => node.name.value === name)
    const page = under(fieldNodes)
    const rows = [...named(page, 'nodes'), ...named(under(named(page, 'edges')), 'node')]
    names = new Set(under(rows).map(node => node.name.value))
    known.set(fieldNodes, names)
  }
  return names
}
