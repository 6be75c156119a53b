// The content of sample data: 40 people of the last two months, with their companies, deals, notes, tasks, an agent's calls and suggestions.

import type { Contact, LifecycleStage } from '../../contacts/contact/row.ts'
import { writeContacts } from '../../contacts/contact/write.ts'
import { createNote } from '../../contacts/notes/note.ts'
import { createPeople, generator, pick } from '../../contacts/sample/people.ts'
import { createTask } from '../../contacts/tasks/task.ts'
import { writeSampleSuggestions } from '../../enrichment/sample/write.ts'
import { alone } from '../../kernel/batching/together.ts'
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

interface Sample {
  contactIds: string[]
  agentIds: string[]
  companyIds: string[]
  dealIds: string[]
}

/** Adds it in the context's transaction, as made by the signed-in user, who owns the contacts and gets the tasks. */
export async function writeSample(context: Context, userId: string): Promise<Sample> {
  const random = generator(20_180_523)
  const person = createPeople(random)
  const now = context.now().getTime()
  const contacts: Contact[] = []
  for (let index = 0; index < count; index++) {
    // The first ones two months ago, so that all calls come after them.
    const at = new Date(now - (index < count / 2 ? 60 * dayMs - index * hourMs : random() * 28 * dayMs))
    const contact = {
      ...person(index),
      ...{ lifecycleStage: stages[index % stages.length], ownerUserId: userId },
      tags: ['Sample', ...(random() < 0.4 ? [pick(random, tags)] : [])],
    }
    contacts.push((await alone({ ...context, now: () => at }, writeContacts, { contact, onConflict: null })).contact)
  }
  for (const [index, text] of notes.entries()) await createNote(context, { contactId: contacts[index * 3]?.id ?? '', text })
  for (const [index, [title, hours]] of tasks.entries())
    await createTask(context, {
      ...{ contactId: contacts[index * 4 + 1]?.id ?? '', title, assigneeUserId: userId },
      dueAt: dueAt(now, hours),
    })

  const agent = await givenAgent({ ...context, now: () => new Date(now - 60 * dayMs) }, organizationOf(context), {
    name: 'Appointment desk (sample)',
    instructions: 'Agree on an appointment next week. Offer two times, be brief, and confirm the one they choose.',
    firstMessage: 'Hello, this is the appointment desk. Do you have a minute?',
    extraction: { job_title: { type: 'string', description: 'your job' }, interested: { type: 'boolean', description: 'the appointment' } },
  })
  const callable = contacts.slice(0, count / 2)
  const calls = callTimes(random, new Date(now), { days: 21, perDay: 1.5 }).map(at => {
    const contact = pick(random, callable)
    return { agent, contact, at, ending: endingOf(random, 'appointment'), facts: factsOf(random, contact) }
  })
  await writePastCalls(context, calls)
  await writeSampleSuggestions(context, random, contacts.slice(0, 8))
  const companyIds = await writeCompanies(context, random, contacts)
  const dealIds = await writeDeals(context, random, contacts)
  return { contactIds: contacts.map(({ id }) => id), agentIds: [agent.id], companyIds, dealIds }
}

// A task of today stays in today, in UTC, also in the evening.
function dueAt(now: number, hours: number): Date {
  const end = Math.floor(now / dayMs) * dayMs + (hours < 24 ? 1 : 2) * dayMs - 60_000
  return new Date(Math.min(now + hours * hourMs, end))
}
