// The statements of lists of calls. Their text depends on filter, order, page size and selection.

import type { Rows, Selection } from '../../database/selection.ts'
import { type Statement, shortRead, statement, unseen, variants } from '../../database/statement.ts'
import { bigint, rows, uuid } from '../../database/table.ts'
import { type Condition, conditionsSql, equals, type FilterValue } from '../../kernel/lists/filter-values.ts'
import { behind, orderBy } from '../../kernel/lists/pages.sql.ts'
import { directionOf, fetchedRows, type PageRequest } from '../../kernel/lists/pagination.ts'
import type { ListedAgent } from '../agents/agent.sql.ts'
import type { CallInList } from './row.ts'

const comparisons = {
  status: equals('status'),
  outcome: equals('outcome'),
  dispatch_state: equals('dispatch_state'),
  agent_id: equals('agent_id', 'uuid'),
  contact_id: equals('contact_id', 'uuid'),
  deal_id: equals('deal_id', 'uuid'),
  to_number: equals('to_number'),
  answered_by: equals('answered_by'),
  ended_reason: equals('ended_reason'),
} satisfies Record<string, Condition['sql']>
export type Compared = keyof typeof comparisons

/** A condition of a filter of calls. */
export const condition = (name: Compared, value: FilterValue): Condition => ({ name, value, sql: comparisons[name] })

// Columns whose indexes have the order of the list. For several values, a page of each value is read from the index, and the pages are
// merged. With any(), PostgreSQL scans the whole list in order if it estimates that the values are common, however old their calls are.
const indexed = new Set<Condition['name']>(['agent_id', 'contact_id', 'deal_id'])

const pages = variants(96)

/** Which calls a list has. */
export interface CallConditions {
  conditions: readonly Condition[]
  /** Whether it has trials alone, or no trials. */
  isTrial: boolean
}

/** SQL: only trials, or only other calls. Lists and counts of calls have never both. */
export const trialsSql = (isTrial: boolean) => (isTrial ? ' and is_trial' : ' and not is_trial')

/** $1 the organization, then the conditions' values, then the position. */
export function pageStatement<Row>(
  { conditions, isTrial }: CallConditions,
  order: 'asc' | 'desc',
  asked: PageRequest,
  selection: Selection<Row>,
): Statement<Row> {
  const { start } = asked
  const direction = directionOf(asked, order)
  const limit = fetchedRows(asked.size)
  const text = () => {
    const next = conditions.length + 2
    const after = start ? behind('created_at', 'timestamptz', direction, next) : ''
    const order = orderBy('created_at', direction, limit)
    const page = (where: string) => `select ${selection.sql} from calls where org_id = $1${trialsSql(isTrial)}${where}${after} ${order}`
    const place = conditions.findIndex(({ name, value }) => indexed.has(name) && typeof value !== 'string')
    const listed = conditions[place]
    if (!listed) return page(conditionsSql(conditions))
    const one = page(`${conditionsSql(conditions, 2, place)} and ${listed.name} = wanted.value`)
    return `select page.* from unnest($${place + 2}::uuid[]) as wanted (value) cross join lateral (${one}) page ${order}`
  }
  // Not named, so planned at each execution, because the best plan depends on the values.
  if (conditions.length > 0) return statement('', text(), selection)
  const name = `${isTrial ? 'trials' : 'calls'}_${direction}_${start ? 'after' : 'from'}_${limit}_${selection.key}`
  return pages(name, () => ({ text: text(), rows: selection }))
}

const total = rows({ total: bigint })
const countAll = shortRead(
  'calls_total',
  `select coalesce(sum(total), 0)::bigint as total from call_counts where org_id = ${unseen('$1::uuid')} and day = '-infinity'`,
  total,
)
/** The organization, then the conditions' values. */
export const countStatement = ({ conditions, isTrial }: CallConditions): Statement<{ total: number }> =>
  conditions.length === 0 && !isTrial
    ? countAll
    : statement('', `select count(*) as total from calls where org_id = $1${trialsSql(isTrial)}${conditionsSql(conditions)}`, total)

/** Records that have calls. */
export type CallOwner = 'contact' | 'deal'

/**
 * $1 the organization, $2 the records, $3 the size of each page, then the position. With `agent`, each call has its agent: a statement of
 * its own for the agents, and finding the agent of each call in its rows, take a tenth more server CPU of such a query (W5).
 */
export function pagesOf<Row extends CallInList>(
  owner: CallOwner,
  page: PageRequest,
  selection: Selection<Row>,
  agent: Selection<ListedAgent> | undefined,
): Statement<Row> {
  const direction = directionOf(page)
  return pages(`${owner}_calls_${direction}_${page.start ? 'after' : 'from'}_${selection.key}${agent ? `_${agent.key}` : ''}`, () => {
    const after = page.start ? behind('created_at', 'timestamptz', direction, 4) : ''
    // Lateral with an offset, so that PostgreSQL looks agents up call by call: another join could change the order of the calls.
    const agents = agent
      ? `left join lateral (select ${agent.sql} from voice_agents where org_id = $1 and id = c.agent_id offset 0) a on true`
      : ''
    const text = `select ${selection.of('c')}${agent ? ', a.*' : ''} from unnest($2::uuid[]) as owner (id) cross join lateral (
       select * from calls where ${owner}_id = owner.id and org_id = $1${after} ${orderBy('created_at', direction, '$3')}
     ) c ${agents}`
    return { text, rows: agent ? withAgent(selection, agent) : selection }
  })
}

function withAgent<Row extends CallInList>(call: Selection<Row>, agent: Selection<ListedAgent>): Rows<Row> {
  const first = call.described.length
  const id = first + agent.described.findIndex(({ name }) => name === 'id')
  return {
    described: [...call.described, ...agent.described],
    row(cells) {
      const row = call.row(cells)
      row.loadedAgent = cells[id] === null ? null : agent.row(cells.slice(first))
      return row
    },
  }
}

const countOf = (owner: CallOwner) =>
  statement(
    `${owner}_calls_total`,
    `select ${owner}_id as owner_id, count(*) as total from calls where org_id = $1 and ${owner}_id = any($2::uuid[]) group by 1`,
    rows({ ownerId: uuid, total: bigint }),
  )
/** $1 the organization, $2 the records. */
export const countCallsOf = { contact: countOf('contact'), deal: countOf('deal') }
