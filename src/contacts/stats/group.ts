// Contacts counted by their fields.

import type { Context } from '../../kernel/context.ts'
import type { Groups } from '../../kernel/lists/groups.ts'
import { type ContactFilter, conditionsOf } from '../contact/list/filter.ts'
import { contactFields, contactFieldTable, contactTable } from '../contact/row.ts'
import { countedFields, groupRecords, type RecordGrouping } from '../records/list/group.ts'

/** The fields that contacts are counted by, named as their columns. */
export const contactGroupFields = countedFields('contact', contactFields, contactFieldTable, name => contactTable.select([name]).sql)

export interface ContactGrouping extends RecordGrouping {
  filter?: ContactFilter | null
}

/** Throws INVALID for custom fields that the organization has not defined, and for a sum of a custom field that is not a number. */
export const groupContacts = (context: Context, grouping: ContactGrouping): Promise<Groups> =>
  groupRecords(
    context,
    'contact',
    { fields: contactGroupFields, conditions: grouping.filter ? conditionsOf(grouping.filter) : [] },
    grouping,
  )
