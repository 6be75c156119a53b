// Lists of contacts that may be the same person: all pairs of an organization, and the pairs of one contact.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { isText, type Keyed, Page, type PageArgs, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded } from '../../kernel/lists/total.ts'
import { searchable } from '../../kernel/search/fold.ts'
import { getContact, loadContacts } from '../contact/contact.ts'
import { countSection, type Section, sectionNames, selectCandidates, selectSection } from './duplicate.sql.ts'
import { type DuplicatePair, mailboxesOf, numbersOf, pairOf } from './pair.ts'

const list = 'duplicates'
// Positions before all ids and keys. The keys of the section `name` are numbers.
const noId = '00000000-0000-0000-0000-000000000000'
const noKey: Readonly<Record<Section, string>> = { mailbox: '', phone: '', name: '-9223372036854775808' }

const isKey = (key: string): boolean => {
  const { section, of } = partsOf(key)
  return isText(key) && section !== undefined && (section !== 'name' || /^-?\d{1,19}$/.test(of))
}

/** A position's key consists of the section and the key inside it. */
function partsOf(key: string): { section: Section | undefined; of: string } {
  const name = key.slice(0, key.indexOf(' '))
  return { section: sectionNames.find(section => section === name), of: key.slice(key.indexOf(' ') + 1) }
}

/**
 * A page of pairs with the same mailbox, then of pairs with the same telephone number, then of pairs with the same name and company. In
 * each section a contact is listed once, with its oldest possible duplicate. Dismissed pairs are left out.
 */
export async function listDuplicates(context: Context, args: Pick<PageArgs, 'first' | 'after'>): Promise<Page<DuplicatePair>> {
  const orgId = organizationOf(context)
  const page = pageOf(args, list, isKey)
  const start = page.start && partsOf(page.start.key)
  const found: { key: string; id: string; otherId: string }[] = []
  for (const section of sectionNames.slice(start?.section ? sectionNames.indexOf(start.section) : 0)) {
    const missing = page.size + 1 - found.length
    if (missing === 0) break
    const from = start?.section === section ? [start.of, page.start?.id] : [noKey[section], noId]
    const rows = await context.db.query(selectSection[section], [orgId, ...from, missing])
    found.push(...rows.map(row => ({ ...row, key: `${section} ${row.key}` })))
  }
  const pairs = await Promise.all(
    found.map(async ({ key, id, otherId }): Promise<Keyed<DuplicatePair> | null> => {
      const [one, other] = await Promise.all([load(context, loadContacts, id), load(context, loadContacts, otherId)])
      return one && other && { row: { ...pairOf(one, other), id }, key }
    }),
  )
  const total = () =>
    bounded(context, async db => {
      let sum = 0
      for (const section of sectionNames) sum += (await db.query(countSection[section], [orgId, noKey[section], noId]))[0]?.total ?? 0
      return sum
    })
  return new Page(
    pairs.filter(pair => pair !== null),
    page,
    list,
    total,
  )
}

// 0.3: below it, often only the first name is the same.
const minScore = 0.3
const maxOfOne = 20

/** The possible duplicates of a contact, by similar names too, the most certain first, at most 20. Throws NOT_FOUND. */
export async function duplicatesOf(context: Context, contactId: string): Promise<Page<DuplicatePair>> {
  const contact = await getContact(context, contactId)
  const { orgId, id, fullName, companyName } = contact
  const values = [orgId, id, mailboxesOf(contact), numbersOf(contact), fullName, companyName, fullName && searchable(fullName)]
  const candidates = await context.db.query(selectCandidates, values)
  const others = await Promise.all(candidates.map(candidate => load(context, loadContacts, candidate.id)))
  const pairs = others
    .flatMap(other => (other?.deletedAt === null ? [pairOf(contact, other)] : []))
    .filter(({ score }) => score >= minScore)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxOfOne)
  const asked = { size: maxOfOne, start: null, isBackward: false }
  return new Page(
    pairs.map(row => ({ row, key: '' })),
    asked,
    `${list} of ${id}`,
    () => pairs.length,
  )
}
