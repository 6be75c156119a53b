// Lists of tasks: of the organization, and of contacts, whose pages are read by one statement.

import { statement } from '../../database/statement.ts'
import { bigint, rows, uuid } from '../../database/table.ts'
import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, load } from '../../kernel/dataloaders.ts'
import { isId } from '../../kernel/ids.ts'
import { type Condition, conditionsSql, equals, type FilterValue, filterValue } from '../../kernel/input/filter-values.ts'
import { isTime, type Keyed, Page, type PageArgs, pageOf } from '../../kernel/pagination.ts'
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

export interface TaskList extends PageArgs {
  filter?: TaskFilter | null
  sort?: TaskSort | null
  includeTotal?: boolean | null
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
export async function listTasks(context: Context, { includeTotal, ...list }: TaskList): Promise<Page<ContactTask>> {
  const orgId = organizationOf(context)
  const { conditions, name, page, order } = readList(list)
  const values = [orgId, ...conditions.map(({ value }) => value)]
  const { by, direction } = order
  const where = `org_id = $1${conditionsSql(conditions)}`
  const text = `select ${contactTasks.all.sql} from contact_tasks where ${where}${afterSql(order, page, values.length)}
    order by ${by} ${direction}, id ${direction} limit ${page.size + 1}`
  const [found, counted] = await Promise.all([
    context.db.query(statement('', text, contactTasks.all), [...values, ...startOf(page)]),
    includeTotal ? context.db.query(statement('', `select count(*) as total from contact_tasks where ${where}`, total), values) : null,
  ])
  return new Page(found.map(keyedBy(order)), page, name, counted && (counted[0]?.total ?? 0))
}

/** A page of the contact's tasks. */
export function contactTasksOf(context: Context, contactId: string, list: TaskList): Promise<Page<ContactTask>> {
  requireScope(context, 'contacts:read')
  const batch = (inContext: Context, contactIds: readonly string[]) => readPages(inContext, contactIds, list)
  return load(context, batch, contactId, `tasks ${JSON.stringify(list)}`)
}

async function readPages(
  context: Context,
  contactIds: readonly string[],
  { includeTotal, ...list }: TaskList,
): Promise<Page<ContactTask>[]> {
  const { conditions, name, page, order } = readList(list)
  const values = [organizationOf(context), contactIds, ...conditions.map(({ value }) => value)]
  const { by, direction } = order
  const where = `org_id = $1${conditionsSql(conditions, 3)}`
  const one = `select * from contact_tasks where contact_id = contact.id and ${where}${afterSql(order, page, values.length)}
    order by ${by} ${direction}, id ${direction} limit ${page.size + 1}`
  const text = `select ${contactTasks.all.of('t')} from unnest($2::uuid[]) as contact (id) cross join lateral (${one}) t`
  const counting = `select contact_id, count(*) as total from contact_tasks where contact_id = any($2::uuid[]) and ${where} group by 1`
  const [found, counted] = await Promise.all([
    context.db.query(statement('', text, contactTasks.all), [...values, ...startOf(page)]),
    includeTotal ? context.db.query(statement('', counting, totals), values) : null,
  ])
  const totalOf = counted && new Map(counted.map(({ contactId, total }) => [contactId, total]))
  return grouped(contactIds, found, task => task.contactId).map(
    (tasks, index) => new Page(tasks.map(keyedBy(order)), page, name, totalOf && (totalOf.get(contactIds[index] ?? '') ?? 0)),
  )
}

const total = rows({ total: bigint })
const totals = rows({ contactId: uuid, total: bigint })

type Order = (typeof orders)[TaskSort]
const keyedBy =
  ({ keyOf }: Order) =>
  (row: ContactTask): Keyed<ContactTask> => ({ row, key: keyOf(row) })

type Start = ReturnType<typeof pageOf>
const startOf = ({ start }: Start) => (start ? [start.key, start.id] : [])
const afterSql = ({ by, direction }: Order, { start }: Start, before: number) =>
  start ? ` and (${by}, id) ${direction === 'asc' ? '>' : '<'} ($${before + 1}::timestamptz, $${before + 2}::uuid)` : ''

function readList({ filter, sort, ...args }: Omit<TaskList, 'includeTotal'>) {
  const conditions = conditionsOf(filter ?? {})
  const name = `tasks ${sort ?? 'due_at'}${conditions.map(({ name, value }) => `\n${name} ${JSON.stringify(value)}`).join('')}`
  return { conditions, name, page: pageOf(args, name, isKey), order: orders[sort ?? 'due_at'] }
}

// No contact has this id.
const none = '00000000-0000-0000-0000-000000000000'

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
    ...one('contactId', contactId && !isId(contactId) ? none : contactId, equals('contact_id', 'uuid')),
    ...one('dueSince', dueSince?.toISOString(), parameter => `${dueKey} >= ${parameter}::timestamptz and due_at is not null`),
    ...one('dueUntil', dueUntil?.toISOString(), parameter => `${dueKey} < ${parameter}::timestamptz`),
  ]
}
