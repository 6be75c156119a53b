// Reads the changes of a record: its fields, its custom fields and its tags. Pure: checks that need the database are in check.ts.

import { type FieldTable, type InputOf, readFields, type StoredIn } from '../../kernel/fields/table.ts'
import { at, Invalid, type Problem } from '../../kernel/input/problem.ts'
import { tags } from './fields.ts'

/** Changes of any record beside its fields. */
export interface RecordPatch {
  custom?: Readonly<Record<string, unknown>> | null
  addTags?: readonly string[] | null
  removeTags?: readonly string[] | null
}

/** The changes that an input makes. `Fields`: the stored fields without `custom`. */
export interface RecordChanges<Fields> {
  fields: Partial<Fields>
  /** Properties to set, null for those to remove; null instead of an object removes all. */
  custom: Record<string, unknown> | null
  addTags: readonly string[]
  removeTags: readonly string[]
  problems: Problem[]
}

/** Validates an input. `ownFields`: the fields without `custom`. The result has the problems of all fields. */
export function readRecord<Of extends FieldTable>(ownFields: Of, input: InputOf<Of> & RecordPatch): RecordChanges<StoredIn<Of>> {
  const { custom = {} } = input
  const changes: RecordChanges<StoredIn<Of>> = { ...readFields(ownFields, input), custom, addTags: [], removeTags: [] }
  for (const field of ['addTags', 'removeTags'] as const) {
    const value = tags(input[field] ?? [])
    if (value instanceof Invalid) for (const problem of at(field, value)) changes.problems.push(problem)
    else changes[field] = value
  }
  return changes
}
