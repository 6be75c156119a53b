// The dashboard of the user's organization; for guests, of the demo organization.

import { listContacts } from '../contacts/contact/list/list.ts'
import { type Contact, contactTable } from '../contacts/contact/row.ts'
import { readStats, type Stats } from '../contacts/stats/stats.ts'
import { listSuggestions } from '../enrichment/suggestions/list.ts'
import type { Suggestion } from '../enrichment/suggestions/suggestion.sql.ts'
import type { Context } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { perObject } from '../kernel/per-object.ts'
import { listCalls } from '../voice/calls/list.ts'
import { type Call, calls } from '../voice/calls/row.ts'
import { type CallStats, readCallStats } from '../voice/stats/stats.ts'

export interface Dashboard {
  mode: 'user' | 'guest'
  /** Whether it shows the demo organization. */
  demo: boolean
  asOf: string
  /** Null for a guest. */
  user: { userId: string; email: string | null; name: string | null } | null
}

/** For sessions, guests, and services acting for a user. Throws FORBIDDEN for other credentials, which should query the data directly. */
export function readDashboard({ principal, now }: Context): Dashboard {
  const asOf = now().toISOString()
  if (principal.kind === 'guest') return { mode: 'guest', demo: true, asOf, user: null }
  if (principal.kind !== 'session' && principal.kind !== 'service')
    throw new AppError('FORBIDDEN', 'The dashboard is for signed-in users and guests')
  const { userId, email, name } = principal
  if (userId === null) throw new AppError('FORBIDDEN', 'The service token has a dashboard only on behalf of a user: name one in x-user-id')
  return { mode: 'user', demo: false, asOf, user: { userId, email, name } }
}

/** The stats of the last 30 days, read once for all widgets. */
export const dashboardStats = perObject((context: Context): Promise<Stats> => readStats(context, {}))

/** The call stats of the last 30 days, read once for all widgets. */
export const dashboardCallStats = perObject(
  async (context: Context): Promise<CallStats> => readCallStats(context, (await dashboardStats(context)).window),
)

export async function pendingSuggestions(context: Context): Promise<readonly Suggestion[]> {
  return (await listSuggestions(context, { first: 5, filter: { status: 'pending' } })).nodes
}

export async function recentContacts(context: Context): Promise<readonly Contact[]> {
  return (await listContacts(context, { first: 5 }, contactTable.all)).nodes
}

export async function recentCalls(context: Context): Promise<readonly Call[]> {
  return (await listCalls(context, { first: 5 }, { rows: calls.all, agent: undefined, withContact: false })).nodes
}
