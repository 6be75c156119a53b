// Lists of calls: the organization's, filtered, a page at a time; and those of contacts, read together.

import { loadContacts } from '../contacts/contact.ts'
import { at, Failed, time } from '../contacts/contact-value.ts'
import { isId, isTime, type Keyed, Page, type PageArgs, type Position, pageOf } from '../contacts/page.ts'
import { type Context, organizationOf, requireScope } from '../context.ts'
import { type Statement, shortRead, statement, unseen } from '../database/client.ts'
import { invalid } from '../errors.ts'
import { equals, type FilterValue, filterValue } from '../filter-values.ts'
import { isAllowed } from '../identity/principal.ts'
import { type Batch, grouped, load } from '../load.ts'
import { ofEach } from '../own.ts'
import { agentsByIdWith } from './agent.sql.ts'
import { type Call, callShape } from './call-row.ts'
import type { DispatchState } from './call-state.ts'
import type { Shape } from './shape.ts'
import type { CallOutcome, CallStatus } from './telephony.ts'

export const callSorts = ['created_at', 'created_at_desc'] as const
export type CallSort = (typeof callSorts)[number]

export interface CallFilter {
  status?: CallStatus | null
  statusIn?: readonly CallStatus[] | null
  outcome?: CallOutcome | null
  outcomeIn?: readonly CallOutcome[] | null
  dispatchState?: DispatchState | null
  dispatchStateIn?: readonly DispatchState[] | null
  agentId?: string | null
  agentIdIn?: readonly string[] | null
  contactId?: string | null
  contactIdIn?: readonly string[] | null
  toNumber?: string | null
  createdSince?: Date | null
  createdUntil?: Date | null
}

export interface CallList extends PageArgs {
  filter?: CallFilter | null
  sort?: CallSort | null
  includeTotal?: boolean | null
}

/** What a query looks at of calls. The same query has the same sets. */
export interface SelectedCalls {
  fields: ReadonlySet<string>
  /** Of their agents; undefined when it looks at none. */
  agent: ReadonlySet<string> | undefined
}

/**
 * One page of the organization's calls, newest first unless asked otherwise. Its cost is the same wherever in the list it is. `selected`
 * says what will be looked at; default: everything.
 */
export async function listCalls(
  context: Context,
  { filter, sort, includeTotal, ...args }: CallList,
  selected?: SelectedCalls,
): Promise<Page<Call>> {
  const orgId = organizationOf(context)
  const conditions = conditionsOf(filter ?? {})
  const direction = sort === 'created_at' ? 'asc' : 'desc'
  const name = [
    'calls',
    direction,
    ...conditions.map(({ column, value }) => `${column} ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ].join('\n')
  const page = pageOf(args, name, isTime)
  const values = [orgId, ...conditions.map(({ value }) => value), ...(page.start ? [page.start.key, page.start.id] : [])]
  const [calls, total] = await Promise.all([
    context.db.query(pageStatement(conditions, direction, page, callShape(selected?.fields)), values),
    includeTotal ? count(context, orgId, conditions) : null,
  ])
  await attach(context, calls, selected)
  return new Page(calls.map(keyed), page, name, total)
}

interface Condition {
  column: 'status' | 'outcome' | 'dispatch_state' | 'agent_id' | 'contact_id' | 'to_number' | 'created_since' | 'created_until'
  value: FilterValue
}

// Ids that can be none find nothing, and are not shown to the database.
const noId = '00000000-0000-0000-0000-000000000000'

function conditionsOf(filter: CallFilter): Condition[] {
  const conditions: Condition[] = []
  const add = (column: Condition['column'], value: string | null | undefined) => {
    if (value != null) conditions.push({ column, value })
  }
  // Of one value, the condition is that of the filter for one: cursors are good for both.
  const addAny = (column: Condition['column'], field: keyof CallFilter, values: readonly string[] | null | undefined) => {
    if (values != null) conditions.push({ column, value: filterValue(field, values) })
  }
  const id = (given: string) => (isId(given) ? given : noId)
  const instant = (field: 'createdSince' | 'createdUntil') => {
    const given = filter[field]
    const read = given == null ? null : time(given)
    if (read instanceof Failed) throw invalid(at(field, read))
    return read
  }
  add('status', filter.status)
  addAny('status', 'statusIn', filter.statusIn)
  add('outcome', filter.outcome)
  addAny('outcome', 'outcomeIn', filter.outcomeIn)
  add('dispatch_state', filter.dispatchState)
  addAny('dispatch_state', 'dispatchStateIn', filter.dispatchStateIn)
  addAny('agent_id', 'agentId', filter.agentId == null ? null : [id(filter.agentId)])
  addAny('agent_id', 'agentIdIn', filter.agentIdIn?.map(id))
  addAny('contact_id', 'contactId', filter.contactId == null ? null : [id(filter.contactId)])
  addAny('contact_id', 'contactIdIn', filter.contactIdIn?.map(id))
  add('to_number', filter.toNumber)
  add('created_since', instant('createdSince'))
  add('created_until', instant('createdUntil'))
  return conditions
}

const sqlOf: Record<Condition['column'], (parameter: string, value: FilterValue) => string> = {
  status: equals('status'),
  outcome: equals('outcome'),
  dispatch_state: equals('dispatch_state'),
  agent_id: equals('agent_id', 'uuid'),
  contact_id: equals('contact_id', 'uuid'),
  to_number: parameter => `to_number = ${parameter}`,
  created_since: parameter => `created_at >= ${parameter}::timestamptz`,
  created_until: parameter => `created_at < ${parameter}::timestamptz`,
}
// $1 is the organization.
const wordsOf = (conditions: readonly Condition[], without?: number) =>
  conditions.map(({ column, value }, index) => (index === without ? '' : ` and ${sqlOf[column](`$${index + 2}`, value)}`)).join('')

// These have indexes in the order of the list. Of several values each one's page is read from there, and the pages are merged: with
// any() PostgreSQL walks along all calls where it believes the values are common, however old the calls are that have them.
const indexed = new Set<Condition['column']>(['agent_id', 'contact_id'])

const fetchedSizes = [10, 20, 50, 100, 200]
const prepared = new Map<string, Statement<Call>>()

function pageStatement(
  conditions: readonly Condition[],
  direction: 'asc' | 'desc',
  { size, start }: { size: number; start: Position | null },
  { name: shape, columns, row }: Shape<Call>,
): Statement<Call> {
  const rows = 1 + (fetchedSizes.find(fetched => fetched >= size) ?? size)
  const text = () => {
    const next = conditions.length + 2
    const after = start ? ` and (created_at, id) ${direction === 'asc' ? '>' : '<'} ($${next}::timestamptz, $${next + 1}::uuid)` : ''
    const ordered = `order by created_at ${direction}, id ${direction} limit ${rows}`
    const page = (words: string) => `select ${columns} from calls where org_id = $1${words}${after} ${ordered}`
    const place = conditions.findIndex(({ column, value }) => indexed.has(column) && typeof value !== 'string')
    const listed = conditions[place]
    if (!listed) return page(wordsOf(conditions))
    const one = page(`${wordsOf(conditions, place)} and ${listed.column} = wanted.value`)
    return `select page.* from unnest($${place + 2}::uuid[]) as wanted (value) cross join lateral (${one}) page ${ordered}`
  }
  // A filter's best plan depends on its value, so those without a name are planned each time.
  if (conditions.length > 0) return statement('', text(), row)
  const name = `calls_${direction}_${start ? 'after' : 'from'}_${rows}_${shape}`
  let known = prepared.get(name)
  if (!known) prepared.set(name, (known = shortRead(name, text(), row)))
  return known
}

const countAll = statement<{ total: number }>(
  'calls_total',
  `select coalesce(sum(total), 0)::bigint as total from call_counts where org_id = ${unseen('$1::uuid')} and day = '-infinity'`,
)

async function count(context: Context, orgId: string, conditions: readonly Condition[]): Promise<number> {
  const counting =
    conditions.length === 0
      ? countAll
      : statement<{ total: number }>('', `select count(*) as total from calls where org_id = $1${wordsOf(conditions)}`)
  const [row] = await context.db.query(counting, [orgId, ...conditions.map(({ value }) => value)])
  return row?.total ?? 0
}

const keyed = (row: Call): Keyed<Call> => ({ row, key: row.createdAt })

/** A page of a contact's calls, newest first. Pages of several contacts are read together. */
export function callsOfContact(context: Context, contactId: string, args: PageArgs, selected?: SelectedCalls): Promise<Page<Call>> {
  return load(context, pagesOf(context, args, selected), contactId)
}

function contactStatement(isAfter: boolean, { name, columns, row }: Shape<Call>): Statement<Call> {
  const key = `contact_calls_${isAfter ? 'after' : 'from'}_${name}`
  const after = isAfter ? ' and (created_at, id) < ($4::timestamptz, $5::uuid)' : ''
  const text = () =>
    `select ${columns.map(column => `c.${column}`)} from unnest($2::uuid[]) as contact (id) cross join lateral (
       select * from calls where contact_id = contact.id and org_id = $1${after} order by created_at desc, id desc limit $3
     ) c`
  let known = prepared.get(key)
  if (!known) prepared.set(key, (known = shortRead(key, text(), row)))
  return known
}

// A loader belongs to one batch function; the fields of a request that ask for the same page of theirs share one.
const batchesOf = ofEach<Context, Map<ReadonlySet<string> | undefined, Map<string, Batch<string, Page<Call>>>>>(() => new Map())

function pagesOf(context: Context, args: PageArgs, selected: SelectedCalls | undefined): Batch<string, Page<Call>> {
  const ofContext = batchesOf(context)
  let known = ofContext.get(selected?.fields)
  if (!known) ofContext.set(selected?.fields, (known = new Map()))
  const name = `${args.first} ${args.after}`
  let batch = known.get(name)
  if (!batch) known.set(name, (batch = (inContext, contactIds) => readPages(inContext, contactIds, args, selected)))
  return batch
}

async function readPages(
  context: Context,
  contactIds: readonly string[],
  args: PageArgs,
  selected: SelectedCalls | undefined,
): Promise<Page<Call>[]> {
  requireScope(context, 'calls:read')
  const page = pageOf(args, 'contact calls', isTime)
  const values = [organizationOf(context), contactIds, page.size + 1, ...(page.start ? [page.start.key, page.start.id] : [])]
  const calls = await context.db.query(contactStatement(page.start !== null, callShape(selected?.fields)), values)
  await attach(context, calls, selected)
  return grouped(contactIds, calls, contactIdOf).map(rows => new Page(rows.map(keyed), page, 'contact calls'))
}
const contactIdOf = ({ contactId }: Call) => contactId ?? ''

// What every call of a page leads to is read for all of them at once. The fields then have it at hand, and nobody waits row by row.
// Whoever may not read it meets that at the field.
async function attach(context: Context, calls: readonly Call[], selected: SelectedCalls | undefined): Promise<void> {
  const { principal } = context
  if (calls.length === 0 || !selected) return
  const withAgents = selected.agent !== undefined && isAllowed(principal, 'agents:read')
  const withContacts = selected.fields.has('contact') && isAllowed(principal, 'contacts:read')
  if (!withAgents && !withContacts) return
  const agentIds = new Set<string>()
  const contactIds = new Set<string>()
  for (const { agentId, contactId } of calls) {
    agentIds.add(agentId)
    if (contactId !== null) contactIds.add(contactId)
  }
  const [agents, contacts] = await Promise.all([
    withAgents ? context.db.query(agentsByIdWith(selected.agent), [organizationOf(context), [...agentIds]]) : null,
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
