// The first page somebody sees: a user's own organization, or for a guest the demo organization, by the same rules.

import { listContacts } from '../contacts/contact-page.ts'
import type { Contact } from '../contacts/contact-row.ts'
import { readStats, type Stats } from '../contacts/stats.ts'
import type { Context } from '../context.ts'
import type { Suggestion } from '../enrichment/suggestion.sql.ts'
import { listSuggestions } from '../enrichment/suggestion-page.ts'
import { AppError } from '../errors.ts'
import { type Batch, load } from '../load.ts'
import { listCalls } from '../voice/call-page.ts'
import type { Call } from '../voice/call-row.ts'
import { type CallStats, readCallStats } from '../voice/call-stats.ts'

export interface Dashboard {
  mode: 'user' | 'guest'
  /** Whether the figures are those of the demo organization. */
  demo: boolean
  asOf: string
  /** Null for a guest. */
  user: { userId: string; email: string | null; name: string | null } | null
}

/**
 * For sessions, guests, and backends on behalf of a user. Throws FORBIDDEN for other credentials: what integrations need, they ask for by
 * name.
 */
export function readDashboard({ principal, now }: Context): Dashboard {
  const asOf = now().toISOString()
  if (principal.kind === 'guest') return { mode: 'guest', demo: true, asOf, user: null }
  if (principal.kind !== 'session' && principal.kind !== 'service')
    throw new AppError('FORBIDDEN', 'The dashboard is for signed-in users and guests')
  const { userId, email, name } = principal
  if (userId === null) throw new AppError('FORBIDDEN', 'The service token has a dashboard only on behalf of a user: name one in x-user-id')
  return { mode: 'user', demo: false, asOf, user: { userId, email, name } }
}

const readDefaultStats: Batch<'default', Stats> = async (context, keys) => {
  const stats = await readStats(context, {})
  return keys.map(() => stats)
}

/** The figures of the last 30 days; read once, however many parts of the page show them. */
export const dashboardStats = (context: Context): Promise<Stats> => load(context, readDefaultStats, 'default')

const readDefaultCallStats: Batch<'default', CallStats> = async (context, keys) => {
  const stats = await readCallStats(context, (await dashboardStats(context)).window)
  return keys.map(() => stats)
}

/** The same about calls. */
export const dashboardCallStats = (context: Context): Promise<CallStats> => load(context, readDefaultCallStats, 'default')

export async function pendingSuggestions(context: Context): Promise<readonly Suggestion[]> {
  return (await listSuggestions(context, { first: 5, filter: { status: 'pending' } })).nodes
}

export async function recentContacts(context: Context): Promise<readonly Contact[]> {
  return (await listContacts(context, { first: 5 })).nodes
}

export async function recentCalls(context: Context): Promise<readonly Call[]> {
  return (await listCalls(context, { first: 5 })).nodes
}
