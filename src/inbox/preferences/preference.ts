// Preferences: how a member learns of each kind of inbox items, and at which hour the daily mail comes.

import type { Queries } from '../../database/client.ts'
import { type Context, inTransaction, organizationOf } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { enumeration, type ValueOf } from '../../kernel/fields/enumeration.ts'
import { type Problem, valueError } from '../../kernel/input/problem.ts'
import { storedJson } from '../../kernel/input/storable.ts'
import { type InboxKind, inboxKinds } from '../items/item.sql.ts'
import { personOf } from '../items/person.ts'
import { type MailTimes, mailTimesOf, type Recipient, rescheduleDigest } from '../mails/times.ts'
import { keepDigest, keepPreferences } from './preference.sql.ts'

export const inboxMails = enumeration('InboxMail', 'Whether a mail tells of inbox items of a kind.', {
  off: 'No mail does.',
  at_once: 'When they come. Items of the same minute share a mail.',
  daily: 'In the daily mail.',
})
type InboxMail = ValueOf<typeof inboxMails>

/** How a member learns of a kind of items. */
export interface Ways {
  /** Whether an item waits in the list and counts at the bell. Otherwise it is done from the beginning. */
  inbox: boolean
  /** Whether the open app shows a message. */
  toast: boolean
  /** Whether browsers that may do so show a notification. */
  browser: boolean
  mail: InboxMail
}

export interface KindPreference extends Ways {
  kind: InboxKind
}

export interface Preferences extends MailTimes {
  kinds: readonly KindPreference[]
}

export interface PreferencesChange extends Partial<{ [Way in keyof Ways]: Ways[Way] | null }> {
  /** Null or absent: all. */
  kinds?: readonly InboxKind[] | null
  digestHour?: number | null
}

// These cannot wait until the member looks into the app.
const mailedByDefault: readonly InboxKind[] = ['reminder_due', 'webhook_failing']

const defaultsOf = (kind: InboxKind): Ways => ({
  inbox: true,
  toast: true,
  browser: true,
  mail: mailedByDefault.includes(kind) ? 'at_once' : 'off',
})

/** Resolves with a function that tells the ways of a kind for each of the members. */
export async function waysOf(db: Queries, members: readonly Recipient[]): Promise<(to: Recipient, kind: InboxKind) => Ways> {
  const where = { orgId: { in: members.map(({ orgId }) => orgId) }, userId: { in: members.map(({ userId }) => userId) } }
  const found = await db.prisma.inboxPreference.findMany({ where })
  const keyOf = (orgId: string, userId: string, kind: string) => `${orgId} ${kind} ${userId}`
  const stored = new Map(found.map(row => [keyOf(row.orgId, row.userId, row.kind), row]))
  return ({ orgId, userId }, kind) => {
    const row = stored.get(keyOf(orgId, userId, kind))
    if (!row) return defaultsOf(kind)
    const { inbox, toast, browser } = row
    return { inbox, toast, browser, mail: inboxMails.values.find(mail => mail === row.mail) ?? 'off' }
  }
}

/** The caller's preferences. */
export async function preferencesOf(context: Context): Promise<Preferences> {
  const person = { orgId: organizationOf(context), userId: personOf(context) }
  const ways = await waysOf(context.db, [person])
  const kinds = inboxKinds.values.map(kind => ({ kind, ...ways(person, kind) }))
  return { kinds, ...(await mailTimesOf(context, person)) }
}

export const problemsOfPreferences = ({ digestHour }: PreferencesChange): Problem[] =>
  digestHour != null && (digestHour < 0 || digestHour > 23)
    ? [valueError('digestHour', 'it is an hour of the day, from 0 to 23', digestHour)]
    : []

/** Changes the caller's preferences; absent and null values stay as they are. They concern the caller alone, so they have no events. Throws INVALID. */
export async function updatePreferences(context: Context, { kinds, digestHour, ...given }: PreferencesChange): Promise<Preferences> {
  const person = { orgId: organizationOf(context), userId: personOf(context) }
  const problems = problemsOfPreferences({ digestHour: digestHour ?? null })
  if (problems.length > 0) throw invalid(problems)
  const { inbox = null, toast = null, browser = null, mail = null } = given
  return context.db.transaction(async db => {
    const inside = inTransaction(context, db)
    const { userId, orgId } = person
    const rows = [...new Set(kinds ?? inboxKinds.values)].map(kind => ({ kind, ...defaultsOf(kind) }))
    const isChanged = [inbox, toast, browser, mail].some(way => way !== null)
    if (isChanged)
      await db.query(keepPreferences, [userId, orgId, storedJson(rows), inbox, toast, browser, mail, context.now().toISOString()])
    if (digestHour != null) {
      await db.query(keepDigest, [userId, orgId, digestHour, null])
      await rescheduleDigest(inside, person)
    }
    return preferencesOf(inside)
  })
}
