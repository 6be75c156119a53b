// The conditions of the lists of records, by their nouns.

import type { Condition } from '../../../kernel/lists/filter-values.ts'
import { type CompanyFilter, conditionsOf as companyConditions } from '../../companies/list.ts'
import { type ContactFilter, conditionsOf as contactConditions } from '../../contact/list/filter.ts'
import { type DealFilter, conditionsOf as dealConditions } from '../../deals/list/filter.ts'
import { type RecordNoun, recordNouns, tableOfNoun } from '../nouns.ts'

export type RecordFilter = ContactFilter | CompanyFilter | DealFilter

/** Throws INVALID for values that PostgreSQL cannot compare. */
export const conditionsOfNoun = {
  contact: contactConditions,
  company: companyConditions,
  deal: dealConditions,
} satisfies Record<RecordNoun, (filter: never) => Condition[]>

/** The noun of a list of records, by the name of the list; undefined for others. */
export const nounOfList = (list: string): RecordNoun | undefined => recordNouns.values.find(noun => tableOfNoun[noun] === list)
