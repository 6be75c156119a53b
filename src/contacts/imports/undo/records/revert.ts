// Takes back what an import did to a batch of companies, deals, notes or tasks, where nobody has changed it since.

import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../../kernel/context.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { ownMember } from '../../../../kernel/input/json.ts'
import { customPrefix } from '../../columns/headers.ts'
import type { Reverted } from '../revert.ts'
import type { FieldChanges } from '../undo.sql.ts'
import { type Present, undoneNouns } from './nouns.ts'
import { nextRecords, type UndoneNoun } from './records.sql.ts'

// Rules write them one by one.
const batchSize = 100
const nowhere = '00000000-0000-0000-0000-000000000000'

type Found = { recordId: string; isCreated: boolean; version: number; changes: FieldChanges }

/** The companies that an import of contacts has made are counted apart, as `made`. */
export interface RevertedRecords extends Reverted {
  made: number
}

/** `noun`: of the rows of the import. */
export async function revertRecords(
  tx: Context,
  orgId: string,
  importId: string,
  noun: string,
  position: string | null,
): Promise<RevertedRecords> {
  const found = await tx.db.query(nextRecords, [importId, position ?? nowhere, batchSize])
  const all: RevertedRecords = { deleted: 0, restored: 0, kept: 0, gone: 0, made: 0, position: found.at(-1)?.recordId ?? null }
  for (const [one, records] of Map.groupBy(found, record => record.noun)) {
    const reverted = await revertNoun(tx, orgId, one, records)
    if (one !== noun) {
      all.made += reverted.deleted
      continue
    }
    for (const count of ['deleted', 'restored', 'kept', 'gone'] as const) all[count] += reverted[count]
  }
  return all
}

async function revertNoun(tx: Context, orgId: string, noun: UndoneNoun, found: readonly Found[]) {
  const { load, used, remove, change } = undoneNouns[noun]
  const counts = { deleted: 0, restored: 0, kept: 0, gone: 0 }
  const ids = found.map(({ recordId }) => recordId)
  const now = new Map((await load(tx, orgId, ids)).map(record => [record.id, record]))
  const worked = new Set(await used(tx, orgId, ids))
  const toDelete: Present[] = []
  for (const { recordId, isCreated, version, changes } of found) {
    const record = now.get(recordId)
    if (!record) counts.gone++
    else if (isCreated) {
      if (record.version === version && !worked.has(recordId)) toDelete.push(record)
      else counts.kept++
    } else {
      const former = unchangedOf(record, changes)
      const set = await setBack(former, values => change(tx, recordId, values), tx)
      if (set < Object.keys(changes).length) counts.kept++
      else if (set > 0) counts.restored++
    }
  }
  if (toDelete.length > 0) await remove(tx, orgId, toDelete)
  counts.deleted = toDelete.length
  return counts
}

/** The former values of the fields that nobody has changed since. */
function unchangedOf({ values }: Present, changes: FieldChanges): Record<string, unknown> {
  // `as`: the values of a record, whose custom fields are an object.
  const custom = (values.custom ?? {}) as Readonly<Record<string, unknown>>
  const nowOf = (field: string) =>
    field.startsWith(customPrefix) ? (ownMember(custom, field.slice(customPrefix.length)) ?? null) : values[field]
  const unchanged = Object.entries(changes).filter(([field, [, after]]) => isDeepStrictEqual(nowOf(field), after))
  return Object.fromEntries(unchanged.map(([field, [before]]) => [field, before]))
}

/** Sets the values together; where the rules refuse that, one by one. Returns how many were set. */
async function setBack(
  former: Readonly<Record<string, unknown>>,
  change: (values: Readonly<Record<string, unknown>>) => Promise<unknown>,
  tx: Context,
): Promise<number> {
  const fields = Object.entries(former)
  if (fields.length === 0) return 0
  if (await isDone(tx, () => change(former))) return fields.length
  let set = 0
  if (fields.length > 1) for (const field of fields) if (await isDone(tx, () => change(Object.fromEntries([field])))) set++
  return set
}

/** Behind a savepoint, because a refused write may have written before. */
async function isDone({ db }: Context, write: () => Promise<unknown>): Promise<boolean> {
  await db.execute('savepoint undo_record')
  try {
    await write()
    await db.execute('release savepoint undo_record')
    return true
  } catch (error) {
    // Such as an owner who has left, a stage that is gone, or a domain that another company has.
    if (!(error instanceof AppError) || error.cause !== undefined) throw error
    await db.execute('rollback to savepoint undo_record')
    return false
  }
}
