// Calls: reading a call, and loading its transcript, agent and contact.

import { loadContacts } from '../../contacts/contact/contact.ts'
import type { Contact } from '../../contacts/contact/row.ts'
import { loadDeals } from '../../contacts/deals/deal.ts'
import type { Deal } from '../../contacts/deals/row.ts'
import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { type Batch, inOrder, load } from '../../kernel/dataloaders.ts'
import { notFound } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { VoiceAgent } from '../agents/agent.sql.ts'
import { loadAgents } from '../agents/agent.ts'
import type { TranscriptLine } from '../providers/telephony.ts'
import { callById, callContents, callsById } from './call.sql.ts'
import type { Call, CallRecord } from './row.ts'

export async function getCall(context: Context, id: string): Promise<Call> {
  const [call] = isId(id) ? await context.db.query(callById, [organizationOf(context), id]) : []
  if (!call) throw notFound('call', id)
  return call
}

/** Loads calls by id. */
export const loadCalls: Batch<string, Call | null> = async (context, ids) =>
  inOrder(ids, await context.db.query(callsById, [organizationOf(context), ids]), call => call.id)

type Content = Pick<CallRecord, 'extracted' | 'variables'> & { transcript: TranscriptLine[] }
const noContent: Content = { transcript: [], extracted: {}, variables: {} }

type OrRecord = Pick<Call, 'id'> & Partial<Pick<CallRecord, 'extracted' | 'variables' | 'transcriptLines'>>

/** The transcript, extracted values and variables of a call. Loaded in one batch for the calls of a page. */
export async function contentOf(context: Context, { id, extracted, variables, transcriptLines }: OrRecord): Promise<Content> {
  // A call that was just placed has all properties of its row but the transcript, and none of that.
  if (extracted && variables && transcriptLines === 0) return { transcript: [], extracted, variables }
  return (await load(context, loadContents, id)) ?? noContent
}

/** The current agent. Throws FORBIDDEN without `agents:read`. */
export const agentOf = (context: Context, { agentId }: Pick<Call, 'agentId'>): Promise<VoiceAgent | null> =>
  load(context, agentsForCalls, agentId)

/** The contact, deleted or not. Throws FORBIDDEN without `contacts:read`. */
export const contactOf = (context: Context, { contactId }: Pick<Call, 'contactId'>): Promise<Contact | null> | null =>
  contactId === null ? null : load(context, contactsForCalls, contactId)

/** The deal, deleted or not. Throws FORBIDDEN without `contacts:read`. */
export const dealOf = (context: Context, { dealId }: Pick<Call, 'dealId'>): Promise<Deal | null> | null =>
  dealId === null ? null : load(context, dealsForCalls, dealId)

// The scope is checked once per batch, not once per row.
const agentsForCalls: typeof loadAgents = async (context, ids) => {
  requireScope(context, 'agents:read')
  return loadAgents(context, ids)
}
const contactsForCalls: typeof loadContacts = async (context, ids) => {
  requireScope(context, 'contacts:read')
  return loadContacts(context, ids)
}

const dealsForCalls: typeof loadDeals = async (context, ids) => {
  requireScope(context, 'contacts:read')
  return loadDeals(context, ids)
}

const loadContents = async (context: Context, ids: readonly string[]) =>
  inOrder(ids, await context.db.query(callContents, [organizationOf(context), ids]), content => content.id)
