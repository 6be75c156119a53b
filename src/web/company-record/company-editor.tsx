// Edits a field of a company in its place.

import { type EditorOf, FieldEditor } from '../contact-record/fields/field-editor.tsx'
import { type Door, useFieldEdit } from '../contact-record/fields/use-field-edit.ts'
import { CompanyRecordDocument, UpdateCompanyDocument } from '../generated/documents/company-record.ts'
import { moneyOf } from '../language/amount.ts'
import type { Company } from './fields.ts'

const companies: Door<Company> = {
  async read(client, id) {
    return (await client.query(CompanyRecordDocument, { id }, { requestPolicy: 'network-only' }).toPromise()).data?.company
  },
  async write(client, input, context) {
    const { data, error } = await client.mutation(UpdateCompanyDocument, { input }, context).toPromise()
    return { error, changed: data?.updateCompany }
  },
}

export const CompanyEditor = (props: EditorOf<Company>) => <FieldEditor {...props} save={useFieldEdit(companies)} moneyOf={moneyOf} />
