// Saved views and the address: the filters, order and columns of a view, and whether the person has changed them.

import type { View, ViewKind } from './kind.ts'

/** The parts of a list that a view keeps. */
export interface ListState {
  search: object
  sort: string | undefined
  columns: readonly string[]
}

/** The filter of a view, as the list takes it. */
export const filterIn = ({ conditions }: Pick<View, 'conditions'>) => present(conditions) as object

/** The conditions that are set, without the names of their types. */
function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present)
  if (typeof value !== 'object' || value === null) return value
  const set = Object.entries(value).filter(([name, one]) => one !== null && name !== '__typename')
  return Object.fromEntries(set.map(([name, one]) => [name, present(one)]))
}

/** The search parameters of a chosen view. */
export const addressOf = <Search extends object, Sort extends string>(kind: ViewKind<Search, Sort>, view: View) => ({
  ...kind.searchOf(filterIn(view)),
  sort: kind.sortOf(view.sort),
  view: view.id,
})

export function isChanged(kind: ViewKind, view: View, { search, sort, columns }: ListState): boolean {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  // The name is always the first column, also when a view does not list it.
  const behindName = (ids: readonly string[]) => ids.filter(id => id !== kind.nameColumn)
  const areSameColumns = view.columns.length === 0 || columns.length === 0 || same(behindName(view.columns), behindName(columns))
  return !same(kind.filterOf(search), kind.filterOf(kind.searchOf(filterIn(view)))) || sort !== kind.sortOf(view.sort) || !areSameColumns
}

/** The definition of a view as the API takes it. */
export const definitionOf = (kind: ViewKind, { search, sort, columns }: ListState) => ({
  conditions: kind.conditionsOf(kind.filterOf(search)),
  sort: sort ?? null,
  ...(columns.length > 0 && { columns: [...columns] }),
})

/** The conditions of a filter that the list's own filters cannot show. */
export const conditionsBeside = (shown: readonly string[]) => (filter: object) => Object.keys(filter).filter(name => !shown.includes(name))
