// The voice agents of the demo organization, and two months of their calls, as the simulator would have produced them.

import type { Contact } from '../../src/contacts/contact/row.ts'
import { generator, pick } from '../../src/contacts/sample/people.ts'
import type { Context } from '../../src/kernel/context.ts'
import type { AgentFields, VoiceAgent } from '../../src/voice/agents/agent.sql.ts'
import { givenAgent } from '../../src/voice/sample/agent.ts'
import type { Purpose } from '../../src/voice/sample/conversations.ts'
import { writePastCalls } from '../../src/voice/sample/past-call.ts'
import { callTimes, endingOf, factsOf } from '../../src/voice/sample/schedule.ts'

interface Desk extends Pick<AgentFields, 'name' | 'instructions' | 'firstMessage' | 'extraction' | 'phoneNumber'> {
  purpose: Purpose
}

const desks: readonly Desk[] = [
  {
    purpose: 'appointment',
    name: 'Appointment desk',
    instructions: 'Agree on an appointment next week. Offer two times, be brief, and confirm the one they choose.',
    firstMessage: 'Hello, this is the appointment desk of Rolocom. Do you have a minute?',
    extraction: { job_title: { type: 'string', description: 'your job' }, interested: { type: 'boolean', description: 'the appointment' } },
    phoneNumber: '+15550100101',
  },
  {
    purpose: 'renewal',
    name: 'Renewal desk',
    instructions: 'Ask whether they want to renew, and for how many seats. Never promise a discount.',
    firstMessage: 'Hello, I am calling about your renewal.',
    extraction: { seats: { type: 'integer', description: 'the number of seats' } },
    phoneNumber: '+15550100102',
  },
  {
    purpose: 'welcome',
    name: 'Welcome calls',
    instructions: 'Welcome new customers, ask how they are getting on, and note what they need.',
    firstMessage: 'Hello and welcome! How are you getting on?',
    extraction: { company_name: { type: 'string', description: 'your company' } },
    phoneNumber: '+15550100103',
  },
]

const day = 86_400_000
const days = 60

/** Writes agents and calls for an organization that has contacts and no calls yet. */
export async function writeDemoCalls(context: Context, orgId: string, contacts: readonly Contact[]): Promise<void> {
  const now = context.now()
  const random = generator(19_870_412)
  const first = { ...context, now: () => new Date(now.getTime() - (days + 1) * day) }
  const agents: { agent: VoiceAgent; purpose: Purpose }[] = []
  for (const { purpose, ...fields } of desks) agents.push({ agent: await givenAgent(first, orgId, fields), purpose })

  const callable = contacts.filter(({ phone, doNotCall }) => phone?.startsWith('+') && !doNotCall)
  const calls = callTimes(random, now, { days, perDay: 5 }).flatMap(at => {
    // Only contacts that existed at that time are called.
    const known = callable.filter(({ createdAt }) => createdAt < at.toISOString())
    if (known.length === 0) return []
    const contact = pick(random, known)
    const { agent, purpose } = pick(random, agents)
    return [{ agent, contact, at, ending: endingOf(random, purpose), facts: factsOf(random, contact) }]
  })
  await writePastCalls(context, calls)
}
