// Lists of calls: the organization's with filters, and the calls of contacts, loaded together for several contacts.

import { loadContacts } from '../../contacts/contact/contact.ts'
import type { Selection } from '../../database/selection.ts'
import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { type Batch, grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { comparableId } from '../../kernel/ids.ts'
import { type Emptiness, emptinessConditions, rangeConditions, since, until } from '../../kernel/lists/comparisons.ts'
import { type Condition, filterValue } from '../../kernel/lists/filter-values.ts'
import { isTime, type Keyed, type ListArgs, Page, type PageArgs, pageName, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { isAllowed } from '../../kernel/principal.ts'
import { agentsById, type ListedAgent } from '../agents/agent.sql.ts'
import type { AnsweredBy, CallOutcome, CallStatus } from '../providers/telephony.ts'
import type { DispatchState } from '../transitions/state.ts'
import {
  type CallConditions,
  type CallOwner,
  type Compared,
  condition,
  countCallsOf,
  countStatement,
  pageStatement,
  pagesOf,
} from './list.sql.ts'
import type { CallInList } from './row.ts'

const callSorts = ['created_at', 'created_at_desc'] as const
type CallSort = (typeof callSorts)[number]

/** The columns for the filters `empty` and `notEmpty`. */
export const emptiableColumns = {
  contactId: 'contact_id',
  dealId: 'deal_id',
  outcome: 'outcome',
  fromNumber: 'from_number',
  recordingUrl: 'recording_url',
  summary: 'summary',
  answeredBy: 'answered_by',
  answeredAt: 'answered_at',
  endedAt: 'ended_at',
  endedReason: 'ended_reason',
  creditsCharged: 'credits_charged',
} as const
type EmptiableField = keyof typeof emptiableColumns

export interface CallFilter extends Emptiness<EmptiableField> {
  status?: CallStatus | null
  statusIn?: readonly CallStatus[] | null
  outcome?: CallOutcome | null
  outcomeIn?: readonly CallOutcome[] | null
  dispatchState?: DispatchState | null
  dispatchStateIn?: readonly DispatchState[] | null
  voiceAgentId?: string | null
  voiceAgentIdIn?: readonly string[] | null
  contactId?: string | null
  contactIdIn?: readonly string[] | null
  dealId?: string | null
  dealIdIn?: readonly string[] | null
  toNumber?: string | null
  toNumberIn?: readonly string[] | null
  answeredByIn?: readonly AnsweredBy[] | null
  endedReasonIn?: readonly string[] | null
  createdSince?: Date | null
  createdUntil?: Date | null
  endedSince?: Date | null
  endedUntil?: Date | null
  minDurationSeconds?: number | null
  maxDurationSeconds?: number | null
  isTrial?: boolean | null
}

export interface CallList extends ListArgs {
  filter?: CallFilter | null
  sort?: CallSort | null
}

/** Which properties of calls and agents a list reads. */
export interface SelectedCalls<Row> {
  rows: Selection<Row>
  /** The properties of agents; undefined when the fields load the agents themselves. */
  agent: Selection<ListedAgent> | undefined
  withContact: boolean
}

/** One page of the organization's calls, newest first by default. A deep page costs the same as the first. */
export async function listCalls<Row extends CallInList>(
  context: Context,
  { filter, sort, counted, ...args }: CallList,
  selected: SelectedCalls<Row>,
): Promise<Page<Row>> {
  const orgId = organizationOf(context)
  const asked = conditionsOf(filter ?? {})
  const { conditions } = asked
  const direction = sort === 'created_at' ? 'asc' : 'desc'
  const name = [
    asked.isTrial ? 'trial calls' : 'calls',
    direction,
    ...conditions.map(({ name, value }) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ].join('\n')
  const page = pageOf(args, name, isTime)
  const values = [orgId, ...conditions.map(({ value }) => value), ...(page.start ? [page.start.key, page.start.id] : [])]
  const total = totalOf(counted, () => count(context, orgId, asked))
  const found = await context.db.query(pageStatement(asked, direction, page, selected.rows), values)
  await attach(context, found, selected)
  return new Page(found.map(withKey), page, name, total)
}

const bounds = {
  createdSince: since('created_at'),
  createdUntil: until('created_at'),
  endedSince: since('ended_at'),
  endedUntil: until('ended_at'),
  minDurationSeconds: { column: 'duration_seconds', operator: '>=', type: 'integer' },
  maxDurationSeconds: { column: 'duration_seconds', operator: '<=', type: 'integer' },
} as const

/** The conditions of a filter. Throws INVALID for times that PostgreSQL cannot compare. */
export function conditionsOf(filter: CallFilter): CallConditions {
  const conditions: Condition[] = []
  const add = (name: Compared, value: string | null | undefined) => {
    if (value != null) conditions.push(condition(name, value))
  }
  // A list with one value makes the same condition as that value, so cursors of both filters are interchangeable.
  const addAny = (name: Compared, field: keyof CallFilter, values: readonly string[] | null | undefined) => {
    if (values != null) conditions.push(condition(name, filterValue(field, values)))
  }
  add('status', filter.status)
  addAny('status', 'statusIn', filter.statusIn)
  add('outcome', filter.outcome)
  addAny('outcome', 'outcomeIn', filter.outcomeIn)
  add('dispatch_state', filter.dispatchState)
  addAny('dispatch_state', 'dispatchStateIn', filter.dispatchStateIn)
  addAny('agent_id', 'voiceAgentId', filter.voiceAgentId == null ? null : [comparableId(filter.voiceAgentId)])
  addAny('agent_id', 'voiceAgentIdIn', filter.voiceAgentIdIn?.map(comparableId))
  addAny('contact_id', 'contactId', filter.contactId == null ? null : [comparableId(filter.contactId)])
  addAny('contact_id', 'contactIdIn', filter.contactIdIn?.map(comparableId))
  addAny('deal_id', 'dealId', filter.dealId == null ? null : [comparableId(filter.dealId)])
  addAny('deal_id', 'dealIdIn', filter.dealIdIn?.map(comparableId))
  add('to_number', filter.toNumber)
  addAny('to_number', 'toNumberIn', filter.toNumberIn)
  addAny('answered_by', 'answeredByIn', filter.answeredByIn)
  addAny('ended_reason', 'endedReasonIn', filter.endedReasonIn)
  return {
    conditions: [...conditions, ...rangeConditions(filter, bounds), ...emptinessConditions(filter, emptiableColumns)],
    isTrial: filter.isTrial ?? false,
  }
}

async function count(context: Context, orgId: string, asked: CallConditions): Promise<number> {
  const counting = countStatement(asked)
  const values = [orgId, ...asked.conditions.map(({ value }) => value)]
  // A statement with a name reads the counters that triggers maintain, and needs no time limit.
  const [row] = await (counting.name ? context.db.query(counting, values) : bounded(context, db => db.query(counting, values)))
  return row?.total ?? 0
}

const withKey = <Row extends CallInList>(row: Row): Keyed<Row> => ({ row, key: row.createdAt })

/** A page of the calls of a contact or a deal, newest first. Pages of several are loaded by one statement. */
export function callsOf<Row extends CallInList>(
  owner: CallOwner,
  context: Context,
  id: string,
  { counted, ...args }: ListArgs,
  selected: SelectedCalls<Row>,
): Promise<Page<Row>> {
  const { rows, agent, withContact } = selected
  const name = `${pageName(`${owner} calls`, args)} ${rows.key} ${agent?.key} ${withContact}`
  // Counting begins beside the page's statement. The page takes the total from the same dataloader.
  totalOf(counted, () => load(context, totalsOf[owner], id))
  return load(context, (inContext, ids: readonly string[]) => readPages(owner, inContext, ids, args, selected), id, name)
}

async function readPages<Row extends CallInList>(
  owner: CallOwner,
  context: Context,
  ids: readonly string[],
  args: PageArgs,
  selected: SelectedCalls<Row>,
): Promise<Page<Row>[]> {
  requireScope(context, 'calls:read')
  const name = `${owner} calls`
  const page = pageOf(args, name, isTime)
  const values = [organizationOf(context), ids, page.size + 1, ...(page.start ? [page.start.key, page.start.id] : [])]
  const agent = isAllowed(context.principal, 'agents:read') ? selected.agent : undefined
  const found = await context.db.query(pagesOf(owner, page, selected.rows, agent), values)
  // The statement has read the agents with the calls.
  await attach(context, found, { ...selected, agent: undefined })
  return grouped(ids, found, call => call[`${owner}Id`] ?? '').map((rows, index) => {
    const id = ids[index] ?? ''
    return new Page(rows.map(withKey), page, name, () => load(context, totalsOf[owner], id))
  })
}

const countsOf =
  (owner: CallOwner): Batch<string, number> =>
  async (context, ids) => {
    requireScope(context, 'calls:read')
    const totals = await bounded(context, db => db.query(countCallsOf[owner], [organizationOf(context), ids]))
    return inOrder(ids, totals, ({ ownerId }) => ownerId).map(found => found?.total ?? 0)
  }
const totalsOf = { contact: countsOf('contact'), deal: countsOf('deal') }

// Agents and contacts of a page are read before its fields resolve, because a loader would cost a promise per row. Without the scope they
// are not read, and the field throws.
async function attach(context: Context, calls: readonly CallInList[], selected: SelectedCalls<CallInList>): Promise<void> {
  const { principal } = context
  if (calls.length === 0) return
  const ofAgents = isAllowed(principal, 'agents:read') ? selected.agent : undefined
  const withContacts = selected.withContact && isAllowed(principal, 'contacts:read')
  if (!ofAgents && !withContacts) return
  const agentIds = new Set<string>()
  const contactIds = new Set<string>()
  for (const { agentId, contactId } of calls) {
    agentIds.add(agentId)
    if (withContacts && contactId !== null) contactIds.add(contactId)
  }
  const [agents, contacts] = await Promise.all([
    ofAgents ? context.db.query(agentsById(ofAgents), [organizationOf(context), [...agentIds]]) : null,
    withContacts ? loadContacts(context, [...contactIds]) : null,
  ])
  const agentBy = agents && new Map(agents.map(agent => [agent.id, agent]))
  const contactBy =
    contacts && new Map(contacts.flatMap(contact => (contact && !(contact instanceof Error) ? [[contact.id, contact]] : [])))
  for (const call of calls) {
    if (agentBy) call.loadedAgent = agentBy.get(call.agentId) ?? null
    if (contactBy) call.loadedContact = (call.contactId === null ? null : contactBy.get(call.contactId)) ?? null
  }
}
