// The nouns whose rows are records: they have custom fields and tags, by one mechanism.

import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'

export const recordNouns = enumeration('RecordNoun', 'Noun whose records have custom fields and tags.', {
  contact: 'Contacts.',
  company: 'Companies.',
  deal: 'Deals.',
})
export type RecordNoun = ValueOf<typeof recordNouns>

/** The tables of the records. They have the columns `tags` and `custom`. */
export const tableOfNoun = { contact: 'contacts', company: 'companies', deal: 'deals' } as const satisfies Record<RecordNoun, string>
