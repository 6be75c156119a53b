// Lists of tasks: an organization's, and records', whose pages one statement reads.

import { type Context, organizationOf, requireScope } from '../../kernel/context.ts'
import { grouped, inOrder, load } from '../../kernel/dataloaders.ts'
import { comparableId } from '../../kernel/ids.ts'
import { timeTexts } from '../../kernel/lists/comparisons.ts'
import { type Condition, equals, filterConditions } from '../../kernel/lists/filter-values.ts'
import { isTime, type Keyed, type ListArgs, Page, type PageRequest, pageOf } from '../../kernel/lists/pagination.ts'
import { counted as bounded, totalOf } from '../../kernel/lists/total.ts'
import { idNameOf, type RecordIds, type RecordRef } from '../records/hanging/ref.ts'
import { columnOf } from '../records/hanging/row.sql.ts'
import { type RecordNoun, recordNouns } from '../records/nouns.ts'
import { countStatement, countTasksOf, dueKey, keyOf, noDueTime, pageStatement, pagesOfRecords, type TaskSort } from './list.sql.ts'
import type { ContactTask, TaskStatus } from './task.sql.ts'

interface TaskFilter extends Partial<RecordIds> {
  status?: TaskStatus | null
  statusIn?: readonly TaskStatus[] | null
  assigneeUserId?: string | null
  assigneeUserIdIn?: readonly string[] | null
  assigned?: boolean | null
  dueSince?: Date | null
  dueUntil?: Date | null
}

export interface TaskList extends ListArgs {
  filter?: TaskFilter | null
  sort?: TaskSort | null
}

const isKey = (key: string) => key === noDueTime || isTime(key)

/** One page of the organization's tasks. */
export async function listTasks(context: Context, { counted, ...list }: TaskList): Promise<Page<ContactTask>> {
  const orgId = organizationOf(context)
  const { conditions, name, page, sort } = readList(list)
  const values = [orgId, ...conditions.map(({ value }) => value)]
  const total = totalOf(counted, async () => {
    const [row] = await bounded(context, db => db.query(countStatement(conditions), values))
    return row?.total ?? 0
  })
  const found = await context.db.query(pageStatement(sort, conditions, page), [...values, ...startOf(page)])
  return new Page(found.map(withKeyBy(sort)), page, name, total)
}

/** A page of the record's tasks. */
export function tasksOf(context: Context, ref: RecordRef, { counted, ...list }: TaskList): Promise<Page<ContactTask>> {
  requireScope(context, 'contacts:read')
  totalOf(counted, () => countOf(context, ref, list))
  const batch = (inContext: Context, ids: readonly string[]) => readPages(inContext, ref.noun, ids, list)
  return load(context, batch, ref.id, `${ref.noun} tasks ${JSON.stringify(list)}`)
}

async function readPages(context: Context, noun: RecordNoun, ids: readonly string[], list: TaskList): Promise<Page<ContactTask>[]> {
  const { conditions, name, page, sort } = readList(list)
  const values = [organizationOf(context), ids, ...conditions.map(({ value }) => value)]
  const found = await context.db.query(pagesOfRecords(noun, sort, conditions, page), [...values, ...startOf(page)])
  return grouped(ids, found, task => task[idNameOf[noun]]).map((tasks, index) => {
    const ref = { noun, id: ids[index] ?? '' }
    return new Page(tasks.map(withKeyBy(sort)), page, name, () => countOf(context, ref, list))
  })
}

function countOf(context: Context, { noun, id }: RecordRef, { filter }: TaskList): Promise<number> {
  const count = async (inContext: Context, ids: readonly string[]): Promise<number[]> => {
    const conditions = conditionsOf(filter ?? {})
    const values = [organizationOf(inContext), ids, ...conditions.map(({ value }) => value)]
    const found = await bounded(inContext, db => db.query(countTasksOf(noun, conditions), values))
    return inOrder(ids, found, row => row.recordId).map(row => row?.total ?? 0)
  }
  return load(context, count, id, `${noun} tasks total ${JSON.stringify(filter ?? {})}`)
}

const startOf = ({ start }: PageRequest) => (start ? [start.key, start.id] : [])
const withKeyBy =
  (sort: TaskSort) =>
  (row: ContactTask): Keyed<ContactTask> => ({ row, key: keyOf(sort, row) })

function readList({ filter, sort, ...args }: TaskList) {
  const conditions = conditionsOf(filter ?? {})
  const name = `tasks ${sort ?? 'due_at'}${conditions.map(({ name, value }) => `\n${name} ${JSON.stringify(value)}`).join('')}`
  return { conditions, name, page: pageOf(args, name, isKey), sort: sort ?? 'due_at' }
}

function conditionsOf(filter: TaskFilter): Condition<unknown>[] {
  const one = (name: string, value: string | null | undefined, sql: Condition['sql']) => (value == null ? [] : [{ name, value, sql }])
  const { assigned } = filter
  const { dueSince, dueUntil } = timeTexts({ dueSince: filter.dueSince, dueUntil: filter.dueUntil })
  return [
    ...filterConditions<Pick<TaskFilter, 'status' | 'statusIn' | 'assigneeUserId' | 'assigneeUserIdIn'>>(filter, {
      status: equals('status'),
      assigneeUserId: equals('assignee_user_id'),
    }),
    ...one('assigned', assigned?.toString(), parameter => `(assignee_user_id is not null) = ${parameter}::boolean`),
    ...recordNouns.values.flatMap(noun => {
      const id = filter[idNameOf[noun]]
      return one(idNameOf[noun], id == null ? id : comparableId(id), equals(columnOf(noun), 'uuid'))
    }),
    ...one('dueSince', dueSince, parameter => `${dueKey} >= ${parameter}::timestamptz and due_at is not null`),
    ...one('dueUntil', dueUntil, parameter => `${dueKey} < ${parameter}::timestamptz`),
  ]
}
