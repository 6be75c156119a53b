// When sample calls take place, and how they end: in office hours, more in the middle of the week, with some quiet days.

import { pick, type Random } from '../../contacts/sample/people.ts'
import type { Script } from '../providers/simulator-script.ts'
import { type Conversation, conversations, type Facts, type Purpose } from './conversations.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
// From Sunday: shares of an average day.
const shares = [0, 0.8, 1.3, 1.5, 1.2, 0.7, 0]
// Calls of each hour from 9 to 17: most before and after lunch.
const hours = [9, 9, 10, 10, 10, 11, 11, 12, 13, 14, 14, 14, 15, 15, 16, 16, 17]

/** The times of about `perDay` calls a day in the days before `now`, oldest first. */
export function callTimes(random: Random, now: Date, { days, perDay }: { days: number; perDay: number }): Date[] {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs
  const times: Date[] = []
  for (let daysAgo = days; daysAgo >= 0; daysAgo--) {
    const day = midnight - daysAgo * dayMs
    const isQuiet = random() < 0.12
    const count = Math.round(perDay * (shares[new Date(day).getUTCDay()] ?? 0) * (isQuiet ? 0.2 : 0.6 + random() * 0.8))
    for (let call = 0; call < count; call++) times.push(new Date(day + pick(random, hours) * hourMs + Math.floor(random() * 3_590) * 1000))
  }
  return times.filter(time => time.getTime() < now.getTime() - 15 * 60_000).toSorted((a, b) => a.getTime() - b.getTime())
}

const unanswered: readonly Exclude<Script, 'talk'>[] = [
  ...Array<'no_answer'>(8).fill('no_answer'),
  ...Array<'voicemail'>(4).fill('voicemail'),
  ...(['busy', 'busy', 'declined', 'failed'] as const),
]

/** How a call of an agent with the purpose ends: two of three in a conversation. */
export function endingOf(random: Random, purpose: Purpose): Conversation | Exclude<Script, 'talk'> {
  if (random() > 0.66) return pick(random, unanswered)
  const ofPurpose = random() < 0.82 ? purpose : null
  return pick(
    random,
    conversations.filter(one => one.purpose === ofPurpose),
  )
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
const times = ['nine', 'half past nine', 'eleven', 'two', 'half past two', 'three', 'half past four']

/** Facts for a conversation with the contact. */
export function factsOf(
  random: Random,
  { firstName, companyName, jobTitle }: { firstName: string | null; companyName: string | null; jobTitle: string | null },
): Facts {
  const first = Math.floor(random() * 3)
  return {
    firstName: firstName ?? 'there',
    company: companyName ?? 'your company',
    jobTitle: jobTitle ?? 'Office Manager',
    ...{ day: weekdays[first] ?? 'Monday', otherDay: weekdays[first + 2] ?? 'Friday', time: pick(random, times) },
    seats: 4 + Math.floor(random() * 60),
  }
}
