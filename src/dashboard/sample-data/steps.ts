// The content of sample data: 40 people of the last two months, with their companies, deals, notes, tasks, an agent's calls and suggestions. A
// step may be tried again after a rollback, and adds the same then.

import { loadContacts } from '../../contacts/contact/contact.ts'
import type { Contact, LifecycleStage } from '../../contacts/contact/row.ts'
import { writeContacts } from '../../contacts/contact/write.ts'
import { createNote } from '../../contacts/notes/note.ts'
import { createPeople, generator, type Person, pick } from '../../contacts/sample/people.ts'
import { createTask } from '../../contacts/tasks/task.ts'
import { writeSampleSuggestions } from '../../enrichment/sample/write.ts'
import { unlessRefused } from '../../kernel/batching/together.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { givenAgent } from '../../voice/sample/agent.ts'
import { writePastCalls } from '../../voice/sample/past-call.ts'
import { callTimes, endingOf, factsOf } from '../../voice/sample/schedule.ts'
import { writeCompanies, writeDeals } from './deals.ts'

const count = 40
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const stages: readonly LifecycleStage[] = ['lead', 'qualified', 'lead', 'opportunity', 'customer', 'subscriber', 'lead', 'customer']
const tags = ['newsletter', 'partner', 'trial', 'renewal']
const notes = [
  'Prefers to be called in the afternoon, after two.',
  'Asked for a comparison with what they use now. Prices matter less than the import.',
  'Met at the fair in Lyon; wants to bring two colleagues to the next call.',
  'Decides in the second quarter, together with finance.',
  'Uses three spreadsheets today, and wants one list.',
]
// The title, and hours from now.
const tasks: readonly (readonly [string, number])[] = [
  ['Send the offer', 1],
  ['Call back about the contract', 2],
  ['Check the invoice address', 3],
  ['Prepare the demo', 24],
  ['Ask how the first week went', 26],
]

/** The ids of the added rows. */
interface Sample {
  contactIds: string[]
  agentIds: string[]
  companyIds: string[]
  dealIds: string[]
}

/** The sample data so far. */
interface Begun extends Sample {
  /** The member who adds it, owns the contacts and gets the tasks. */
  userId: string
  createdAt: Date
}

type Step = (tx: Context, begun: Begun) => Promise<Partial<Sample>>

const seed = 20_180_523
const people = (): Person[] => Array.from({ length: count }, (_, index) => index).map(createPeople(generator(seed)))

/** The live contacts, in their order. Somebody may have deleted one since. */
async function contactsOf(tx: Context, { contactIds }: Begun): Promise<Contact[]> {
  const found = await loadContacts(tx, contactIds)
  return found.flatMap(contact => (contact && !(contact instanceof Error) && contact.deletedAt === null ? [contact] : []))
}

const addContacts =
  (from: number, to: number): Step =>
  async (tx, { userId, createdAt }) => {
    const random = generator(seed + from)
    const asked = people()
      .slice(from, to)
      .map((person, at) => {
        const index = from + at
        // The first ones two months ago, so that all calls come after them.
        const time = new Date(createdAt.getTime() - (index < count / 2 ? 60 * dayMs - index * hourMs : random() * 28 * dayMs))
        const contact = {
          ...{ ...person, lifecycleStage: stages[index % stages.length], ownerUserId: userId },
          tags: ['Sample', ...(random() < 0.4 ? [pick(random, tags)] : [])],
        }
        return { context: { ...tx, now: () => time }, input: { contact, onConflict: null } }
      })
    const contactIds: string[] = []
    for (const written of await writeContacts(asked)) contactIds.push((await unlessRefused(written)).contact.id)
    return { contactIds }
  }

const addNotesAndTasks: Step = async (tx, begun) => {
  const contacts = await contactsOf(tx, begun)
  for (const [index, text] of notes.entries()) {
    const { id: contactId } = contacts[index * 3] ?? {}
    if (contactId) await createNote(tx, { contactId, text })
  }
  for (const [index, [title, hours]] of tasks.entries()) {
    const { id: contactId } = contacts[index * 4 + 1] ?? {}
    const dueAt = dueIn(begun.createdAt.getTime(), hours)
    if (contactId) await createTask(tx, { contactId, title, assigneeUserId: begun.userId, dueAt })
  }
  return {}
}

const addCalls: Step = async (tx, begun) => {
  const contacts = await contactsOf(tx, begun)
  const random = generator(seed + count)
  const began = begun.createdAt
  const agent = await givenAgent({ ...tx, now: () => new Date(began.getTime() - 60 * dayMs) }, organizationOf(tx), {
    name: 'Appointment desk (sample)',
    instructions: 'Agree on an appointment next week. Offer two times, be brief, and confirm the one they choose.',
    firstMessage: 'Hello, this is the appointment desk. Do you have a minute?',
    extraction: { job_title: { type: 'string', description: 'your job' }, interested: { type: 'boolean', description: 'the appointment' } },
  })
  const callable = contacts.slice(0, count / 2)
  if (callable.length > 0)
    await writePastCalls(
      tx,
      callTimes(random, began, { days: 21, perDay: 1.5 }).map(at => {
        const contact = pick(random, callable)
        return { agent, contact, at, ending: endingOf(random, 'appointment'), facts: factsOf(random, contact) }
      }),
    )
  await writeSampleSuggestions(tx, random, contacts.slice(0, 8))
  return { agentIds: [agent.id] }
}

const addCompanies =
  (part: number, parts: number): Step =>
  async (tx, begun) => ({
    companyIds: await writeCompanies(tx, generator(seed + 100 + part), await contactsOf(tx, begun), { part, parts }),
  })

const addDeals =
  (from: number, to: number): Step =>
  async (tx, begun) => ({ dealIds: await writeDeals(tx, generator(seed + 200 + from), await contactsOf(tx, begun), { from, to }) })

// Each takes some hundredths of a second on an idle database, and less than a second on a busy one.
export const steps: readonly Step[] = [
  ...[0, 10, 20, 30].map(from => addContacts(from, from + 10)),
  addNotesAndTasks,
  addCalls,
  ...[0, 1, 2].map(part => addCompanies(part, 3)),
  ...[0, 3, 6, 9, 12].map(from => addDeals(from, from + 3)),
]

// A task of today stays in today, in UTC, also in the evening.
function dueIn(now: number, hours: number): Date {
  const end = Math.floor(now / dayMs) * dayMs + (hours < 24 ? 1 : 2) * dayMs - 60_000
  return new Date(Math.min(now + hours * hourMs, end))
}
