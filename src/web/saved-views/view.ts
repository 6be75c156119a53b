// Saved views and the address: the filters, order and columns of a view, and whether the person has changed them.

import type { View, ViewKind } from './kind.ts'

/** Conditions of a list, by their names. */
export type Conditions = Readonly<Record<string, unknown>>

/** The parts of a list that a view keeps. */
export interface ListState {
  search: object
  /** The conditions of the view that the filters of the list cannot show. */
  beside: Conditions
  sort: string | undefined
  columns: readonly string[]
}

/** The filter of a view, as the list takes it. */
export const filterIn = ({ conditions }: Pick<View, 'conditions'>) => present(conditions) as Conditions

/** The conditions that are set, without the names of their types. */
function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present)
  if (typeof value !== 'object' || value === null) return value
  const set = Object.entries(value).filter(([name, one]) => one !== null && name !== '__typename')
  return Object.fromEntries(set.map(([name, one]) => [name, present(one)]))
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * The conditions of a view that the filters of the list cannot show as they are: the list keeps them as they are. A condition with one value
 * is shown by the filter that takes several.
 */
export function besideOf(kind: ViewKind, view: Pick<View, 'conditions'>): Conditions {
  const filter: Conditions = filterIn(view)
  const shown = kind.filterOf(kind.searchOf(filter)) as Conditions
  const isShown = ([name, value]: [string, unknown]) =>
    same(shown[name], value) || (filter[`${name}In`] === undefined && same(shown[`${name}In`], [value]))
  return Object.fromEntries(Object.entries(filter).filter(one => !isShown(one)))
}

/** The filters of a view as search parameters, without the conditions beside them. */
function searchIn<Search extends object, Sort extends string>(kind: ViewKind<Search, Sort>, view: View): Search {
  const beside = besideOf(kind as ViewKind, view)
  const filter: Conditions = filterIn(view)
  return kind.searchOf(Object.fromEntries(Object.entries(filter).filter(([name]) => !Object.hasOwn(beside, name))))
}

/** The search parameters of a chosen view. */
export const addressOf = <Search extends object, Sort extends string>(kind: ViewKind<Search, Sort>, view: View) => ({
  ...searchIn(kind, view),
  sort: kind.sortOf(view.sort),
  view: view.id,
})

export function isChanged(kind: ViewKind, view: View, { search, beside, sort, columns }: ListState): boolean {
  // The name is always the first column, also when a view does not list it.
  const behindName = (ids: readonly string[]) => ids.filter(id => id !== kind.nameColumn)
  const areSameColumns = view.columns.length === 0 || columns.length === 0 || same(behindName(view.columns), behindName(columns))
  const areSameFilters = same(kind.filterOf(search), kind.filterOf(searchIn(kind, view))) && same(beside, besideOf(kind, view))
  return !areSameFilters || sort !== kind.sortOf(view.sort) || !areSameColumns
}

/** The definition of a view as the API takes it. */
export const definitionOf = (kind: ViewKind, { search, beside, sort, columns }: ListState) => ({
  conditions: kind.conditionsOf({ ...kind.filterOf(search), ...beside }),
  sort: sort ?? null,
  ...(columns.length > 0 && { columns: [...columns] }),
})
