// The rows of a list of records: its conditions, and whether live ones, deleted ones or both.

import type { Condition } from '../../../kernel/lists/filter-values.ts'

export interface DeletedFilter {
  includeDeleted?: boolean | null
  onlyDeleted?: boolean | null
}

/** Which rows a list is made of: those that live, those that were deleted, or both. */
export type Kind = 'live' | 'deleted' | 'all'

export const kindOf = (filter: DeletedFilter | null | undefined): Kind =>
  filter?.onlyDeleted ? 'deleted' : filter?.includeDeleted ? 'all' : 'live'

export interface Found {
  conditions: readonly Condition[]
  kind: Kind
}

const names: Readonly<Record<Kind, string>> = { live: '', deleted: ' that are deleted', all: ' with deleted' }

/** The name of a list with its sort and filter, for which alone a cursor is valid. */
export const nameOf = (list: string, sort: string, { conditions, kind }: Found): string =>
  `${list} ${sort}${names[kind]}${conditions.map(({ name, value }) => `\n${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join('')}`

/** The condition of being one of the named records; none without ids. */
export const idsAmong = (ids: readonly string[] | null | undefined): Condition[] =>
  ids ? [{ name: 'ids', value: ids, sql: parameter => `id = any(${parameter}::uuid[])` }] : []
