// The statements of lists of tasks: of the organization, and of contacts, whose pages one statement reads. Their text depends on filter and
// order; they have no name, so each execution is planned for its values.

import { type Statement, statement } from '../../database/statement.ts'
import { bigint, rows, uuid } from '../../database/table.ts'
import { type Condition, conditionsSql } from '../../kernel/lists/filter-values.ts'
import { behind, orderBy } from '../../kernel/lists/pages.sql.ts'
import { directionOf, type PageRequest } from '../../kernel/lists/pagination.ts'
import { type ContactTask, contactTasks } from './task.sql.ts'

export type TaskSort = 'due_at' | 'due_at_desc' | 'created_at' | 'created_at_desc'

// Tasks without a due time come last. The indexes of the migrations use the same expression.
export const dueKey = `(coalesce(due_at, 'infinity'::timestamptz))`
export const noDueTime = 'infinity'

interface Order {
  /** The sort expression; ties are sorted by id. */
  by: string
  direction: 'asc' | 'desc'
  keyOf: (task: ContactTask) => string
}
const byDueTime = { by: dueKey, keyOf: ({ dueAt }: ContactTask) => dueAt ?? noDueTime }
const byCreation = { by: 'created_at', keyOf: ({ createdAt }: ContactTask) => createdAt }
const orders: Record<TaskSort, Order> = {
  due_at: { ...byDueTime, direction: 'asc' },
  due_at_desc: { ...byDueTime, direction: 'desc' },
  created_at: { ...byCreation, direction: 'asc' },
  created_at_desc: { ...byCreation, direction: 'desc' },
}

/** The task's position in a list of this sort, for cursors. */
export const keyOf = (sort: TaskSort, task: ContactTask): string => orders[sort].keyOf(task)

// A task rests with its contact: there is nothing to do about a deleted one. A subquery for each row, so that the tasks are read in the order
// of their index, and no more than a page of them.
const ofLiveContact = '(select deleted_at is null from contacts where contacts.id = contact_tasks.contact_id)'

/** $1 the organization, then the values of the conditions, then the cursor's position. */
export function pageStatement(sort: TaskSort, conditions: readonly Condition<unknown>[], page: PageRequest): Statement<ContactTask> {
  const where = `org_id = $1 and ${ofLiveContact}${conditionsSql(conditions)}${afterSql(sort, page, conditions.length + 2)}`
  const text = `select ${contactTasks.all.sql} from contact_tasks where ${where} ${orderSql(sort, page)}`
  return statement('', text, contactTasks.all)
}

/** $1 the organization, $2 the contacts, then as for `pageStatement`. */
export function contactPages(sort: TaskSort, conditions: readonly Condition<unknown>[], page: PageRequest): Statement<ContactTask> {
  const where = `org_id = $1${conditionsSql(conditions, 3)}${afterSql(sort, page, conditions.length + 3)}`
  const one = `select * from contact_tasks where contact_id = contact.id and ${where} ${orderSql(sort, page)}`
  const text = `select ${contactTasks.all.of('t')} from unnest($2::uuid[]) as contact (id) cross join lateral (${one}) t`
  return statement('', text, contactTasks.all)
}

const total = rows({ total: bigint })
/** $1 the organization, then the values of the conditions. */
export const countStatement = (conditions: readonly Condition<unknown>[]): Statement<{ total: number }> =>
  statement('', `select count(*) as total from contact_tasks where org_id = $1 and ${ofLiveContact}${conditionsSql(conditions)}`, total)

const totals = rows({ contactId: uuid, total: bigint })
/** $1 the organization, $2 the contacts, then the values of the conditions. */
export function countContactTasks(conditions: readonly Condition<unknown>[]): Statement<{ contactId: string; total: number }> {
  const where = `org_id = $1 and contact_id = any($2::uuid[])${conditionsSql(conditions, 3)}`
  return statement('', `select contact_id, count(*) as total from contact_tasks where ${where} group by 1`, totals)
}

function afterSql(sort: TaskSort, page: PageRequest, next: number): string {
  const { by, direction } = orders[sort]
  return page.start ? behind(by, 'timestamptz', directionOf(page, direction), next) : ''
}

function orderSql(sort: TaskSort, page: PageRequest): string {
  const { by, direction } = orders[sort]
  return orderBy(by, directionOf(page, direction), page.size + 1)
}
