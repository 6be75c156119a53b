// The names of records, for sentences about their notes and tasks.

import type { Context } from '../../../kernel/context.ts'
import { load } from '../../../kernel/dataloaders.ts'
import { loadCompanies } from '../../companies/company.ts'
import { loadContacts } from '../../contact/contact.ts'
import { loadDeals } from '../../deals/deal.ts'
import { titleOf } from '../../search/search.ts'
import type { RecordNoun } from '../nouns.ts'
import type { RecordRef } from './ref.ts'

const titles: Readonly<Record<RecordNoun, (context: Context, id: string) => Promise<string | null>>> = {
  async contact(context, id) {
    const contact = await load(context, loadContacts, id)
    return contact && titleOf(contact)
  },
  company: async (context, id) => (await load(context, loadCompanies, id))?.name ?? null,
  deal: async (context, id) => (await load(context, loadDeals, id))?.title ?? null,
}

/** The name of the record, also of a deleted one; null for one that does not exist. */
export const titleOfRecord = (context: Context, { noun, id }: RecordRef): Promise<string | null> => titles[noun](context, id)
