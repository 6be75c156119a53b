// Applies a bulk change to a batch of records of a noun, by the rules of single writes, in the transaction of the batch.

import type { Context } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { checkInOrganization, needsOrganization } from '../records/check.ts'
import type { RecordChanges } from '../records/input.ts'
import type { RecordNoun } from '../records/nouns.ts'
import { removeTasks } from '../tasks/in-bulk.ts'
import { remindOfRestored } from '../tasks/reminder-queue.ts'
import type { BulkParameters, FieldReversal, Reversal } from './bulk.sql.ts'
import { type Acted, type BulkRow, failureOf, nothing, type RecordsInBulk, sumOf, type Written } from './records.ts'

type Act = (tx: Context, orgId: string, ids: readonly string[]) => Promise<Acted>
type Values = Readonly<Record<string, unknown>>

/** The work of bulk changes on the records of a noun. */
export interface BulkActs {
  noun: RecordNoun
  /** The parameters of an update with the given values. Throws INVALID, also where there is nothing to change. */
  parametersOf(context: Context, orgId: string, given: Values): Promise<BulkParameters>
  /** Throws INVALID where parameters are valid no more: the owner may have left since the change was queued. */
  check(context: Context, orgId: string, parameters: BulkParameters): Promise<unknown>
  /** Applies the parameters to the live ones. One that the rules refuse, such as for too many tags, has failed. */
  update(parameters: BulkParameters): Act
  /** Deletes the live ones. */
  remove: Act
  /** Restores the deleted ones; one that is hindered has failed. */
  restore: Act
  /**
   * Takes changes back: restores deleted records, deletes restored ones, and sets values back where they are unchanged. It cannot be taken back
   * itself, so it has no reversals.
   */
  undo(tx: Context, orgId: string, reversals: ReadonlyMap<string, Reversal>): Promise<Acted>
}

export function actsOf<Row extends BulkRow, Fields, Changes extends RecordChanges<object>>(
  records: RecordsInBulk<Row, Fields, Changes>,
): BulkActs {
  const { noun } = records
  const settable = Object.keys(records.reversedAs)

  /** Changes that are read already. */
  const changesOf = ({ addTags = [], removeTags = [], ...given }: BulkParameters): Changes => {
    const fields = Object.fromEntries(Object.entries(given).filter(([name]) => settable.includes(name)))
    return { ...records.read({}), addTags, removeTags, fields }
  }
  // Null leaves a field that always has a value.
  const isClearable = (name: string) => (records.read({ [name]: null }).fields as Values)[name] === null
  const check = async (context: Context, orgId: string, changes: Changes): Promise<Changes> => {
    if (needsOrganization(changes)) await checkInOrganization(context, orgId, noun, [changes])
    if (changes.problems.length > 0) throw invalid(changes.problems)
    return changes
  }
  const live = async (tx: Context, orgId: string, ids: readonly string[]) =>
    (await records.lock(tx, orgId, ids)).filter(({ deletedAt }) => deletedAt === null)

  /** The record after the changes; null where they change nothing, or where the rules refuse them. */
  const attempt = (record: Row, changes: Changes, acted: Acted): Written<Row, Fields> | null => {
    try {
      const fields = records.apply(record, changes)
      const changed = records.differences(record, fields)
      if (Object.keys(changed).length > 0) return { record, fields, changed }
      acted.unchanged++
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      acted.failures.push(failureOf(record.id, error))
    }
    return null
  }

  const reversalOf = ({ record, fields }: Written<Row, Fields>): Reversal => {
    const [before, after] = [record.tags, (fields as BulkRow).tags]
    const values = Object.entries(records.reversedAs).flatMap(([field, name]) => {
      const [from, to] = [(fields as Values)[field], (record as unknown as Values)[field]]
      return from === to ? [] : [[name, { from, to }] as const]
    })
    return {
      ...{ addTags: before.filter(tag => !after.includes(tag)), removeTags: after.filter(tag => !before.includes(tag)) },
      ...Object.fromEntries(values),
    }
  }
  /** The former values of the fields that nobody has changed since. */
  const formerValues = (record: Row, reversal: Reversal): BulkParameters => {
    const former = Object.entries(records.reversedAs).flatMap(([field, name]) => {
      const value = (reversal as Readonly<Record<string, FieldReversal | undefined>>)[name]
      return value && value.from === (record as unknown as Values)[field] ? [[field, value.to] as const] : []
    })
    return { addTags: reversal.addTags ?? [], removeTags: reversal.removeTags ?? [], ...Object.fromEntries(former) }
  }

  const write = async (tx: Context, orgId: string, written: readonly Written<Row, Fields>[]) => {
    if (written.length > 0) await records.write(tx, orgId, written)
  }
  const remove: Act = async (tx, orgId, ids) => {
    const found = await live(tx, orgId, ids)
    if (found.length > 0) await records.mark(tx, orgId, found, tx.now().toISOString())
    return { ...nothing(), changed: found.length, reversals: found.map(({ id }) => ({ contact_id: id, reversal: { restore: true } })) }
  }
  const restore: Act = async (tx, orgId, ids) => {
    const locked = await records.lock(tx, orgId, ids)
    const deleted = locked.filter(({ deletedAt }) => deletedAt !== null)
    const hindered = deleted.length > 0 ? await records.hindrances(tx, orgId, deleted) : new Map()
    const free = deleted.filter(({ id }) => !hindered.has(id))
    const freeIds = free.map(({ id }) => id)
    if (free.length > 0) {
      await records.mark(tx, orgId, free, null)
      await remindOfRestored(tx, noun, orgId, freeIds)
    }
    return {
      changed: free.length,
      unchanged: locked.length - deleted.length,
      failures: [...hindered].map(([id, { error, otherId }]) => failureOf(id, error, otherId)),
      reversals: freeIds.map(id => ({ contact_id: id, reversal: { delete: true } })),
    }
  }

  return {
    noun,
    remove,
    restore,
    async parametersOf(context, orgId, { addTags, removeTags, ...given }) {
      const isGiven = ([name, value]: [string, unknown]) =>
        settable.includes(name) && value !== undefined && (value !== null || isClearable(name))
      const values = Object.fromEntries(Object.entries(given).filter(isGiven))
      const changes = await check(context, orgId, records.read({ addTags, removeTags, ...values }))
      if (changes.addTags.length + changes.removeTags.length + Object.keys(values).length === 0)
        throw invalid(valueError('addTags', `there is nothing to change: give tags to add or remove, ${records.offers}`))
      return { addTags: changes.addTags, removeTags: changes.removeTags, ...changes.fields }
    },
    check: (context, orgId, parameters) => check(context, orgId, changesOf(parameters)),
    update(parameters) {
      const changes = changesOf(parameters)
      return async (tx, orgId, ids) => {
        const acted = nothing()
        const written = (await live(tx, orgId, ids)).flatMap(record => attempt(record, changes, acted) ?? [])
        await write(tx, orgId, written)
        const reversals = written.map(one => ({ contact_id: one.record.id, reversal: reversalOf(one) }))
        return { ...acted, changed: written.length, reversals }
      }
    },
    async undo(tx, orgId, reversals) {
      const acted = nothing()
      const locked = await records.lock(tx, orgId, [...reversals.keys()])
      const having = (name: 'restore' | 'delete') => locked.filter(({ id }) => reversals.get(id)?.[name]).map(({ id }) => id)
      const restored = await restore(tx, orgId, having('restore'))
      const deleted = await remove(tx, orgId, having('delete'))
      const taskIds = [...reversals.values()].flatMap(({ taskId }) => taskId ?? [])
      const removed = await removeTasks(tx, orgId, taskIds)
      const written = locked.flatMap(record => {
        const { restore: isRestored, delete: isDeleted, taskId, ...reversal } = reversals.get(record.id) ?? {}
        if (isRestored || isDeleted || taskId) return []
        if (record.deletedAt === null) return attempt(record, changesOf(formerValues(record, reversal)), acted) ?? []
        acted.failures.push(failureOf(record.id, notFound(noun, record.id)))
        return []
      })
      await write(tx, orgId, written)
      return {
        ...sumOf([
          { ...acted, changed: written.length },
          restored,
          { ...deleted, unchanged: having('delete').length - deleted.changed },
          { ...nothing(), changed: removed, unchanged: taskIds.length - removed },
        ]),
        reversals: [],
      }
    },
  }
}
