// The nouns whose records are changed in bulk.

import type { RecordNoun } from '../records/nouns.ts'
import type { BulkActs } from './act.ts'
import { companyActs } from './nouns/companies.ts'
import { contactActs } from './nouns/contacts.ts'
import { dealActs } from './nouns/deals.ts'

export const bulkActs: Readonly<Record<RecordNoun, BulkActs>> = { contact: contactActs, company: companyActs, deal: dealActs }
