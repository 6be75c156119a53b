// The statements of lists of tasks: of the organization, and of records, whose pages one statement reads. Their text depends on filter and
// order; they have no name, so each execution is planned for its values.

import { type Statement, statement } from '../../database/statement.ts'
import { bigint, rows, uuid } from '../../database/table.ts'
import { type Condition, conditionsSql } from '../../kernel/lists/filter-values.ts'
import { behind, orderBy } from '../../kernel/lists/pages.sql.ts'
import { directionOf, type PageRequest } from '../../kernel/lists/pagination.ts'
import { columnOf, isOfLiveRecord } from '../records/hanging/row.sql.ts'
import type { RecordNoun } from '../records/nouns.ts'
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

// A task rests with its record: there is nothing to do about a deleted one.
const ofLiveRecord = isOfLiveRecord('contact_tasks')

/** $1 the organization, then the values of the conditions, then the cursor's position. */
export function pageStatement(sort: TaskSort, conditions: readonly Condition<unknown>[], page: PageRequest): Statement<ContactTask> {
  const where = `org_id = $1 and ${ofLiveRecord}${conditionsSql(conditions)}${afterSql(sort, page, conditions.length + 2)}`
  const text = `select ${contactTasks.all.sql} from contact_tasks where ${where} ${orderSql(sort, page)}`
  return statement('', text, contactTasks.all)
}

/** $1 the organization, $2 records of the noun, then as for `pageStatement`. */
export function pagesOfRecords(
  noun: RecordNoun,
  sort: TaskSort,
  conditions: readonly Condition<unknown>[],
  page: PageRequest,
): Statement<ContactTask> {
  const where = `org_id = $1${conditionsSql(conditions, 3)}${afterSql(sort, page, conditions.length + 3)}`
  const one = `select * from contact_tasks where ${columnOf(noun)} = record.id and ${where} ${orderSql(sort, page)}`
  const text = `select ${contactTasks.all.of('t')} from unnest($2::uuid[]) as record (id) cross join lateral (${one}) t`
  return statement('', text, contactTasks.all)
}

const total = rows({ total: bigint })
/** $1 the organization, then the values of the conditions. */
export const countStatement = (conditions: readonly Condition<unknown>[]): Statement<{ total: number }> =>
  statement('', `select count(*) as total from contact_tasks where org_id = $1 and ${ofLiveRecord}${conditionsSql(conditions)}`, total)

/** $1 the organization, $2 records of the noun, then the values of the conditions. */
export function countTasksOf(noun: RecordNoun, conditions: readonly Condition<unknown>[]): Statement<{ recordId: string; total: number }> {
  const column = columnOf(noun)
  const where = `org_id = $1 and ${column} = any($2::uuid[])${conditionsSql(conditions, 3)}`
  const totals = rows({ recordId: uuid.named(column), total: bigint })
  return statement('', `select ${column}, count(*) as total from contact_tasks where ${where} group by 1`, totals)
}

function afterSql(sort: TaskSort, page: PageRequest, next: number): string {
  const { by, direction } = orders[sort]
  return page.start ? behind(by, 'timestamptz', directionOf(page, direction), next) : ''
}

function orderSql(sort: TaskSort, page: PageRequest): string {
  const { by, direction } = orders[sort]
  return orderBy(by, directionOf(page, direction), page.size + 1)
}
