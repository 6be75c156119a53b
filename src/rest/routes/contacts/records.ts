// Orders and filters of the lists of records, and the inputs and examples of their notes and tasks.

import { z } from 'zod'
import { anyOf, oneText, time, yesOrNo } from '../inputs.ts'

/** Orders by creation, by the last change, and by `names`. `-created_at` is newest first; the GraphQL schema has an enum value for it. */
export const orderBy = <Name extends string>(names: readonly Name[], title: string) =>
  z
    .enum((['created_at', 'updated_at', ...names] as const).flatMap(name => [name, `-${name}`] as const))
    // `as`: both forms of each are values of the enumeration.
    .transform(given => (given.startsWith('-') ? `${given.slice(1)}_desc` : given) as 'created_at' | 'created_at_desc')
    .optional()
    .meta({ title, unlessGiven: '-created_at' })

export const sharedFilters = {
  tag: anyOf(oneText(64)),
  owner_user_id: anyOf(oneText(255)),
  external_id: anyOf(oneText(255)),
  created_since: time.optional(),
  updated_since: time.optional(),
  include_deleted: yesOrNo().optional(),
  only_deleted: yesOrNo().optional(),
}

/** A body names the record on which something hangs by one of them. */
export const recordIds = ['contact_id', 'company_id', 'deal_id'] as const

/** A page with one row, for examples. */
export const pageWith = (row: unknown) => ({ data: [row], has_more: false, next_cursor: null, total: null })
