// Lists of tasks: of the organization, and of contacts, whose pages are read by one statement.

import { statement } from '../../database/statement.ts'
import { bigint, rows, uuid } from '../../database/table.ts'
import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { comparableId } from '../../kernel/ids.ts'
import { type Condition, conditionsSql, equals, type FilterValue, filterValue } from '../../kernel/input/filter-values.ts'
import { type Asked, directionOf, isTime, type Keyed, type ListArgs, Page, pageOf } from '../../kernel/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/totals/total.ts'
import { type ContactTask, contactTasks, type TaskStatus } from './task.sql.ts'

interface TaskFilter {
  status?: TaskStatus | null
  statusIn?: readonly TaskStatus[] | null
  assigneeUserId?: string | null
  assigneeUserIdIn?: readonly string[] | null
  assigned?: boolean | null
  contactId?: string | null
  dueSince?: Date | null
  dueUntil?: Date | null
}

type TaskSort = 'due_at' | 'due_at_desc' | 'created_at' | 'created_at_desc'

export interface TaskList extends ListArgs {
  filter?: TaskFilter | null
  sort?: TaskSort | null
}

// The indexes of the migrations use the same expression: tasks without a due time come last.
const dueKey = `(coalesce(due_at, 'infinity'::timestamptz))`
const orders: Record<TaskSort, { by: string; direction: 'asc' | 'desc'; keyOf: (task: ContactTask) => string }> = {
  due_at: { by: dueKey, direction: 'asc', keyOf: ({ dueAt }) => dueAt ?? 'infinity' },
  due_at_desc: { by: dueKey, direction: 'desc', keyOf: ({ dueAt }) => dueAt ?? 'infinity' },
  created_at: { by: 'created_at', direction: 'asc', keyOf: ({ createdAt }) => createdAt },
  created_at_desc: { by: 'created_at', direction: 'desc', keyOf: ({ createdAt }) => createdAt },
}
const isKey = (key: string) => key === 'infinity' || isTime(key)

/** One page of the organization's tasks. */
export async function listTasks(context: Context, { counted, ...list }: TaskList): Promise<Page<ContactTask>> {
  const orgId = organizationOf(context)
  const { conditions, name, page, order } = readList(list)
  const values = [orgId, ...conditions.map(({ value }) => value)]
  const where = `org_id = $1${conditionsSql(conditions)}`
  const text = `select ${contactTasks.all.sql} from contact_tasks where ${where}${afterSql(order, page, values.length)} ${orderSql(order, page)}`
  const counting = statement('', `select count(*) as total from contact_tasks where ${where}`, total)
  const count = totalOf(counted, async () => (await bounded(context, db => db.query(counting, values)))[0]?.total ?? 0)
  const found = await context.db.query(statement('', text, contactTasks.all), [...values, ...startOf(page)])
  return new Page(found.map(keyedBy(order)), page, name, count)
}

/** A page of the contact's tasks. */
export function contactTasksOf(context: Context, contactId: string, { counted, ...list }: TaskList): Promise<Page<ContactTask>> {
  requireScope(context, 'contacts:read')
  totalOf(counted, () => countOf(context, contactId, list))
  const batch = (inContext: Context, contactIds: readonly string[]) => readPages(inContext, contactIds, list)
  return load(context, batch, contactId, `tasks ${JSON.stringify(list)}`)
}

async function readPages(context: Context, contactIds: readonly string[], list: TaskList): Promise<Page<ContactTask>[]> {
  const { conditions, name, page, order } = readList(list)
  const values = [organizationOf(context), contactIds, ...conditions.map(({ value }) => value)]
  const where = `org_id = $1${conditionsSql(conditions, 3)}`
  const one = `select * from contact_tasks where contact_id = contact.id and ${where}${afterSql(order, page, values.length)} ${orderSql(order, page)}`
  const text = `select ${contactTasks.all.of('t')} from unnest($2::uuid[]) as contact (id) cross join lateral (${one}) t`
  const found = await context.db.query(statement('', text, contactTasks.all), [...values, ...startOf(page)])
  return grouped(contactIds, found, task => task.contactId).map((tasks, index) => {
    const contactId = contactIds[index] ?? ''
    return new Page(tasks.map(keyedBy(order)), page, name, () => countOf(context, contactId, list))
  })
}

function countOf(context: Context, contactId: string, { filter }: TaskList): Promise<number> {
  const count = async (inContext: Context, contactIds: readonly string[]): Promise<number[]> => {
    const conditions = conditionsOf(filter ?? {})
    const where = `org_id = $1 and contact_id = any($2::uuid[])${conditionsSql(conditions, 3)}`
    const counting = statement('', `select contact_id, count(*) as total from contact_tasks where ${where} group by 1`, totals)
    const values = [organizationOf(inContext), contactIds, ...conditions.map(({ value }) => value)]
    const found = await bounded(inContext, db => db.query(counting, values))
    return inOrder(contactIds, found, row => row.contactId).map(row => row?.total ?? 0)
  }
  return load(context, count, contactId, `tasks total ${JSON.stringify(filter ?? {})}`)
}

const total = rows({ total: bigint })
const totals = rows({ contactId: uuid, total: bigint })

type Order = (typeof orders)[TaskSort]
const keyedBy =
  ({ keyOf }: Order) =>
  (row: ContactTask): Keyed<ContactTask> => ({ row, key: keyOf(row) })

const startOf = ({ start }: Asked) => (start ? [start.key, start.id] : [])
const afterSql = ({ by, direction }: Order, page: Asked, before: number) =>
  page.start
    ? ` and (${by}, id) ${directionOf(page, direction) === 'asc' ? '>' : '<'} ($${before + 1}::timestamptz, $${before + 2}::uuid)`
    : ''

function orderSql({ by, direction }: Order, page: Asked): string {
  const read = directionOf(page, direction)
  return `order by ${by} ${read}, id ${read} limit ${page.size + 1}`
}

function readList({ filter, sort, ...args }: TaskList) {
  const conditions = conditionsOf(filter ?? {})
  const name = `tasks ${sort ?? 'due_at'}${conditions.map(({ name, value }) => `\n${name} ${JSON.stringify(value)}`).join('')}`
  return { conditions, name, page: pageOf(args, name, isKey), order: orders[sort ?? 'due_at'] }
}

function conditionsOf(filter: TaskFilter): Condition[] {
  const one = (name: string, value: FilterValue | null | undefined, sql: Condition['sql']): Condition[] =>
    value === null || value === undefined ? [] : [{ name, value, sql }]
  const { status, statusIn, assigneeUserId, assigneeUserIdIn, assigned, contactId, dueSince, dueUntil } = filter
  return [
    ...one('status', status, equals('status')),
    ...one('status', statusIn && filterValue('statusIn', statusIn), equals('status')),
    ...one('assigneeUserId', assigneeUserId, equals('assignee_user_id')),
    ...one('assigneeUserId', assigneeUserIdIn && filterValue('assigneeUserIdIn', assigneeUserIdIn), equals('assignee_user_id')),
    ...one('assigned', assigned == null ? null : String(assigned), parameter => `(assignee_user_id is not null) = ${parameter}::boolean`),
    ...one('contactId', contactId == null ? contactId : comparableId(contactId), equals('contact_id', 'uuid')),
    ...one('dueSince', dueSince?.toISOString(), parameter => `${dueKey} >= ${parameter}::timestamptz and due_at is not null`),
    ...one('dueUntil', dueUntil?.toISOString(), parameter => `${dueKey} < ${parameter}::timestamptz`),
  ]
}
