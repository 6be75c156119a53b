// Companies counted by their fields.

import type { Context } from '../../kernel/context.ts'
import { namesOf } from '../../kernel/fields/table.ts'
import type { Groups } from '../../kernel/lists/groups.ts'
import { countedFields, groupRecords, type RecordGrouping } from '../records/list/group.ts'
import { type CompanyFilter, conditionsOf } from './list.ts'
import { companyFields, companyTable } from './row.ts'

/** The fields that companies are counted by, named as their columns. */
export const companyGroupFields = countedFields('company', namesOf(companyFields), companyFields, name => companyTable.select([name]).sql)

export interface CompanyGrouping extends RecordGrouping {
  filter?: CompanyFilter | null
}

/** Throws INVALID for custom fields that the organization has not defined, and for a sum of a custom field that is not a number. */
export const groupCompanies = (context: Context, grouping: CompanyGrouping): Promise<Groups> =>
  groupRecords(context, 'company', { fields: companyGroupFields, conditions: conditionsOf(grouping.filter) }, grouping)
