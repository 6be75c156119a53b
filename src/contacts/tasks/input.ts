// Validates the input of a task. Pure.

import { type Read, text, time } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem } from '../../kernel/input/problem.ts'
import type { ContactTask, TaskStatus } from './task.sql.ts'

/** The fields that callers may set. */
export type TaskFields = Pick<ContactTask, 'title' | 'description' | 'status' | 'dueAt' | 'assigneeUserId' | 'remindAt'>
export const taskFields = ['title', 'description', 'status', 'dueAt', 'assigneeUserId', 'remindAt'] as const satisfies (keyof TaskFields)[]

/** An absent field stays unchanged. Null clears it; a status of null is `open`. */
export interface TaskInput {
  title?: string | null
  description?: string | null
  status?: TaskStatus | null
  dueAt?: Date | null
  assigneeUserId?: string | null
  remindAt?: Date | null
}

const noTitle = new Invalid([problem([], 'string_too_short', null, { min_length: 1 })])
const title = text(200)

const readers: { [Field in keyof TaskFields]: Read<NonNullable<TaskInput[Field]>, TaskFields[Field]> } = {
  title: given => title(given) ?? noTitle,
  description: text(10_000),
  status: given => given,
  dueAt: time,
  assigneeUserId: text(255),
  remindAt: time,
}
const cleared: { [Field in keyof TaskFields]: TaskFields[Field] | Invalid } = {
  title: noTitle,
  description: null,
  status: 'open',
  dueAt: null,
  assigneeUserId: null,
  remindAt: null,
}

export function readTask(input: TaskInput): { fields: Partial<TaskFields>; problems: Problem[] } {
  const problems: Problem[] = []
  const fields: Partial<TaskFields> = {}
  for (const field of taskFields) {
    const given = input[field]
    if (given === undefined) continue
    const value = given === null ? cleared[field] : (readers[field] as Read<unknown, unknown>)(given)
    if (value instanceof Invalid) problems.push(...at(field, value))
    // `as`: each reader returns the type of its field.
    else fields[field] = value as never
  }
  return { fields, problems }
}
