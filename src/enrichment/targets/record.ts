// The nouns whose records enrichment reads and writes, and the rules that it calls for each.

import { lockLiveCompany } from '../../contacts/companies/company.sql.ts'
import { updateCompany } from '../../contacts/companies/company.ts'
import { type Company, companyFields } from '../../contacts/companies/row.ts'
import { lockContact, updateContact } from '../../contacts/contact/contact.ts'
import { type Contact, contactFieldTable } from '../../contacts/contact/row.ts'
import { type RecordIds as AnyRecordIds, idNameOf } from '../../contacts/records/hanging/ref.ts'
import type { Context } from '../../kernel/context.ts'
import type { FieldTable } from '../../kernel/fields/table.ts'

export type TargetRecord = { noun: 'contact'; row: Contact } | { noun: 'company'; row: Company }
export type EnrichedNoun = TargetRecord['noun']

/** The columns of jobs and suggestions that name the record. */
export type RecordIds = Pick<AnyRecordIds, (typeof idNameOf)[EnrichedNoun]>

interface Rules {
  fields: FieldTable
  /** Locks the record. False if it is deleted. */
  lock(context: Context, orgId: string, id: string): Promise<boolean>
  update(context: Context, id: string, patch: Readonly<Record<string, unknown>>): Promise<unknown>
}

export const rulesOf: Readonly<Record<EnrichedNoun, Rules>> = {
  contact: { fields: contactFieldTable, lock: lockContact, update: (context, id, patch) => updateContact(context, id, patch) },
  company: {
    fields: companyFields,
    lock: async ({ db }, orgId, id) => (await db.query(lockLiveCompany, [orgId, id])).length > 0,
    update: (context, id, patch) => updateCompany(context, { id }, patch),
  },
}

export const noRecordIds: RecordIds = { contactId: null, companyId: null }

export const idsOf = (record: { noun: EnrichedNoun; row: { id: string } } | null): RecordIds =>
  record ? { ...noRecordIds, [idNameOf[record.noun]]: record.row.id } : noRecordIds

/** The ids of a row that has more. */
export const recordIdsOf = ({ contactId, companyId }: RecordIds): RecordIds => ({ contactId, companyId })
