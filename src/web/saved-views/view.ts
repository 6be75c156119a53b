// Saved views and the address: the filters, order and columns of a view, and whether the person has changed them.

import type { ContactFilter, ViewFragment } from '../generated/operations.ts'
import { type ContactSort, contactSortValues } from '../generated/schema.ts'
import { type FilterSearch, filterOf, searchOf } from '../contacts/filters/search.ts'

export type View = ViewFragment

/** The filter of a view, as the list takes it. */
export function filterIn({ conditions }: Pick<View, 'conditions'>): ContactFilter {
  if (conditions.__typename !== 'ContactConditions') return {}
  const { __typename, custom, ...others } = conditions
  return { ...present(others), ...(custom && { custom: custom.map(({ __typename: _, ...one }) => ({ ...present(one), key: one.key })) }) }
}

/** The conditions that are set. */
const present = <Conditions extends object>(all: Conditions): Partial<Conditions> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Partial<Conditions>

export interface ListState {
  search: FilterSearch
  sort: ContactSort | undefined
  columns: readonly string[]
}

/** The search parameters of a chosen view. */
export const addressOf = (view: View): FilterSearch & { sort: ContactSort | undefined; view: string } => ({
  ...searchOf(filterIn(view)).search,
  sort: sortOf(view),
  view: view.id,
})

const sortOf = ({ sort }: View): ContactSort | undefined => contactSortValues.find(value => value === sort)

export function isChanged(view: View, { search, sort, columns }: ListState): boolean {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const isSameOrder = (sort ?? null) === (sortOf(view) ?? null)
  const areSameColumns = view.columns.length === 0 || columns.length === 0 || same(behindName(view.columns), behindName(columns))
  return !same(filterOf(search), filterOf(searchOf(filterIn(view)).search)) || !isSameOrder || !areSameColumns
}

// The name is always the first column, also when a view does not list it.
const behindName = (columns: readonly string[]) => columns.filter(id => id !== 'fullName')

/** The definition of a view as the API takes it. */
export const definitionOf = ({ search, sort, columns }: ListState) => ({
  conditions: { contacts: filterOf(search) },
  sort: sort ?? null,
  ...(columns.length > 0 && { columns: [...columns] }),
})
