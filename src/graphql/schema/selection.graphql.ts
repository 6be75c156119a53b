// Derives from a list query which columns of the rows to select, so that the database does not send the others. Without it, a nested
// GraphQL query of few fields (W5) takes 84 % more server CPU.

import { type FieldNode, type GraphQLResolveInfo, getNamedType, isObjectType, Kind, type SelectionSetNode } from 'graphql'
import type { Selection } from '../../database/table.ts'

// Caches by `fieldNodes`: a compiled document passes the same array to its resolvers at each execution.
const knownFields = new WeakMap<readonly FieldNode[], ReadonlySet<string>>()
const knownSelections = new WeakMap<readonly FieldNode[], Selection<unknown>>()

/**
 * The selection of a connection's rows. A field needs the property with its name, or the properties that its extension `needs` lists:
 *
 * ```ts
 * builder.objectField(ContactType, 'calls', t => t.field({ extensions: { needs: ['id'] }, ... }))
 * ```
 *
 * If a field needs a property that the table does not have, all properties are selected. `always`: properties that the rule itself
 * needs.
 *
 * The returned type has all properties, although the rows do not: a resolver's parent has the type of its object type, not of the fields
 * that one document selects, and `needs` keeps each resolver to properties that are there. Rules are generic in the row instead, so they
 * read only `always` and what they select themselves.
 */
export function selectedRows<Row>(
  info: GraphQLResolveInfo,
  table: Selectable<Row>,
  always: readonly (keyof Row & string)[],
): Selection<Row> {
  let selection = knownSelections.get(info.fieldNodes)
  if (!selection) {
    const names = [...always, ...[...selectedFields(info)].flatMap(name => neededBy(info, name))]
    selection = names.every(name => table.has(name)) ? table.selectAsked(names as never) : table.all
    knownSelections.set(info.fieldNodes, selection)
  }
  return selection as Selection<Row>
}

interface Selectable<Row> {
  all: Selection<Row>
  has(name: string): boolean
  selectAsked(names: never): Selection<unknown>
}

function neededBy({ schema, returnType }: GraphQLResolveInfo, field: string): readonly string[] {
  if (field === '__typename') return []
  const connection = getNamedType(returnType)
  const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined
  const node = nodes && schema.getType(getNamedType(nodes.type).name)
  const needs = isObjectType(node) ? node.getFields()[field]?.extensions.needs : undefined
  // The cast is needed because `extensions` are untyped.
  return (needs as readonly string[] | undefined) ?? [field]
}

/** The names of the fields selected under `nodes` and `edges { node }`, including those that a directive may skip. */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  let names = knownFields.get(fieldNodes)
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
    knownFields.set(fieldNodes, names)
  }
  return names
}
