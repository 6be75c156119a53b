// Derives from a list query which columns of the rows to select, so that the database does not send the others. Without it, a nested
// GraphQL query of few fields (W5) takes 84 % more server CPU.

import { type FieldNode, type GraphQLResolveInfo, type GraphQLSchema, isObjectType, Kind, type SelectionSetNode } from 'graphql'
import type { Selection } from '../../../database/selection.ts'
import type { Selected, Unread } from '../../../database/table.ts'
import type { Context } from '../../../kernel/context.ts'
import { perObject } from '../../../kernel/per-object.ts'

/**
 * The resolver of a field whose property is read from the database only where the query selects the field. The field has the property's
 * name:
 *
 * ```ts
 * jobTitle: t.string({ nullable: true, description: 'Job title.', resolve: selected('jobTitle') })
 * ```
 */
export function selected<Name extends string>(name: Name) {
  // One for each name: resolvers of rows ask for it, and a new one for each row took a third of the server's CPU for a page (W1).
  const known = resolverOf.get(name)
  if (known) return known as SelectedResolver<Name>
  const resolve: SelectedResolver<Name> = row => {
    const value = row[name]
    if (value === undefined) throw new Error(`The property ${name} was not selected`)
    // No value has the type `Unread`.
    return value as never
  }
  resolverOf.set(name, resolve as never)
  propertyOf.set(resolve, name)
  return resolve
}
type SelectedResolver<Name extends string> = <Value>(row: { readonly [Property in Name]?: Value | Unread }) => Value
const resolverOf = new Map<string, SelectedResolver<string>>()
const propertyOf = new WeakMap<object, string>()

/**
 * Lets GraphQL read the fields that `selected` resolves as plain properties: calling a function for each field of a page's rows takes a
 * third more server CPU (W1). The checked resolver is for `resolve` functions that call it themselves. Throws if a field is named otherwise
 * than its property.
 */
export function readAsProperties(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const property = field.resolve && propertyOf.get(field.resolve)
      if (property === undefined) continue
      if (property !== field.name) throw new Error(`${type.name}.${field.name} reads ${property}; a field and its property have one name`)
      delete field.resolve
    }
  }
  return schema
}

/** The extensions of a field that reads properties with other names, resolved by `selected`. */
export const readsProperties = (...names: string[]) => ({ readsProperties: names })
export const readsProperty = (name: string) => readsProperties(name)

/** The extensions of a field that needs the whole row, which it reads by `wholeRow`. */
export const readsWholeRow = { readsWholeRow: true }

/** The row with all properties of its table, for the resolver of a field with `readsWholeRow`. */
export function wholeRow<Row>(table: Pick<Selectable<Row>, 'isWhole'>, row: object): Row {
  if (!table.isWhole(row)) throw new Error('The whole row was not selected')
  return row
}

interface Selectable<Row> {
  all: Selection<Row>
  selectAsked<Always extends keyof Row>(always: readonly Always[], asked: readonly string[]): Selection<Selected<Row, Always>>
  isWhole(row: object): row is Row & object
}

/** The selection of rows for the fields of a type: the properties `always`, and the properties that the fields read. */
export function selectedRows<Row, Always extends keyof Row>(
  schema: GraphQLSchema,
  typename: string,
  fields: readonly string[],
  table: Selectable<Row>,
  always: readonly Always[],
): Selection<Selected<Row, Always>> {
  const type = schema.getType(typename)
  const known = isObjectType(type) ? type.getFields() : {}
  if (fields.some(name => known[name]?.extensions.readsWholeRow === true)) return table.all
  return table.selectAsked(
    always,
    fields.flatMap(name => (known[name]?.extensions.readsProperties as string[] | undefined) ?? name),
  )
}

/**
 * The names of the fields that a connection's query selects under `nodes` and `edges { node }`, including fields that a directive may skip.
 */
export function selectedFields({ fieldNodes, fragments }: GraphQLResolveInfo): string[] {
  const names: string[] = []
  const walk = (set: SelectionSetNode | undefined, level: Level): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) walk(fragments[selection.name.value]?.selectionSet, level)
      else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, level)
      else if (level === 'row') names.push(selection.name.value)
      else if (selection.name.value === (level === 'edge' ? 'node' : 'nodes')) walk(selection.selectionSet, 'row')
      else if (level === 'page' && selection.name.value === 'edges') walk(selection.selectionSet, 'edge')
    }
  }
  for (const { selectionSet } of fieldNodes) walk(selectionSet, 'page')
  return names
}
type Level = 'page' | 'edge' | 'row'

/**
 * The names of the fields that a query selects in this field, or with `name` in every field of that name below it, at any level. An unneeded
 * column costs little; a missing one would break a field.
 */
export function fieldsIn({ fieldNodes, fragments }: GraphQLResolveInfo, name?: string): string[] {
  const names: string[] = []
  const walk = (set: SelectionSetNode | undefined, isIn: boolean): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (isIn) names.push(selection.name.value)
        walk(selection.selectionSet, selection.name.value === name)
      } else walk((selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection)?.selectionSet, isIn)
    }
  }
  for (const node of fieldNodes) walk(node.selectionSet, name === undefined)
  return names
}

/** Derives from a query once for a field. In a page the field of each row has the same AST nodes. */
export function derivedOnce<Result>(derive: (info: GraphQLResolveInfo) => Result) {
  const resultsOf = perObject((_: Context) => new Map<readonly FieldNode[], Result>())
  return (context: Context, info: GraphQLResolveInfo): Result => {
    const results = resultsOf(context)
    const known = results.get(info.fieldNodes)
    if (known !== undefined) return known
    const result = derive(info)
    results.set(info.fieldNodes, result)
    return result
  }
}
