// Idempotency: a write with an Idempotency-Key runs in one transaction with the row that stores its answer, so it runs at most once.

import { batcher } from '../../database/batcher.ts'
import type { Database, Queries } from '../../database/client.ts'
import { sqlState } from '../../database/errors.ts'
import { allDone } from '../batching/all-done.ts'
import { type Context, type IdempotencyKey, inTransaction, type Steps } from '../context.ts'
import { AppError } from '../errors.ts'
import { isId } from '../ids.ts'
import { storedJson } from '../input/storable.ts'
import { perObject } from '../per-object.ts'
import { type Columns, decodeAnswer, type StoredAnswer, scopesToStore, valueToStore } from './answer.ts'
import { claimKey, countReplay, replaceAnswer, storeAnswers, storedAnswer } from './idempotency.sql.ts'
import { fingerprintOf, formerFingerprintOf, idOf } from './key.ts'

/** Hours that an answer is kept. */
export const keptHours = 24

/** The values of the header Idempotency-Key: 1 to 255 visible ASCII characters. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/

/** A write: the name of its operation, and the input that its answer depends on, for doors that do not give the sent input. */
export interface Write extends StoredAnswer {
  operation: string
  input: unknown
  /** Whether it concerns the caller rather than an organization, and so may change which organizations the caller has. */
  isPersonal?: boolean
  /** Writes with the same batch key that arrive together may share a transaction. The number of different batch keys is small. */
  batchKey?: string | undefined
  /** Whether the answer may be built again, with the results of the second steps. */
  isRepeatable?: boolean
}

/** The id of the write whose answer is returned, for its receipt: the request's own id, or the id of the first request with the same key. */
export const operationIdOf = ({ requestId, idempotency }: Context): string => idempotency?.replayedId ?? requestId

type Work<Answer> = (context: Context) => Promise<Answer>

/** A requested write, which will either run or be answered from the store. */
interface KeyedWrite {
  context: Context
  idempotency: IdempotencyKey
  stored: StoredAnswer
  id: string
  input: unknown
  fingerprint: string
  work: Work<unknown>
  steps: Steps
}
type Outcome = { answer: unknown } | { refusal: AppError }

/**
 * Runs a write at most once per key. `work` resolves with the answer, which is stored in the transaction of its effects; when `work`
 * throws, neither is stored. Throws IDEMPOTENCY_IN_FLIGHT while the first request is still running, and IDEMPOTENCY_MISMATCH when the input
 * differs.
 *
 * Second steps that `work` adds run after the commit. A repeatable answer is then built again with their results, and until then the key
 * counts as running; after a crash in between, the first answer stays.
 */
export async function idempotently<Answer>(context: Context, write: Write, work: Work<Answer>): Promise<Answer> {
  const { idempotency, services } = context
  if (!idempotency) return work(context)

  const asked: KeyedWrite = {
    context,
    idempotency,
    stored: write,
    id: idOf(context, idempotency, write),
    input: write.input,
    fingerprint: fingerprintOf(idempotency, write.input),
    work,
    steps: noSteps(),
  }
  const send = write.batchKey === undefined || context.db.inTransaction ? null : batcherOf(services.database, write.batchKey)
  for (;;) {
    let outcome: Outcome | undefined
    try {
      ;[outcome] = send ? [await send(asked)] : await writeAll(context.db, [asked])
    } catch (error) {
      // Another process has stored an answer under this key. A write of a batch claims no key, so it may also have failed because of the
      // other write's effects, such as a taken email address.
      if ((send || sqlState(error) === uniqueViolation) && (await isStored(asked))) continue
      throw error
    }
    if (!outcome || 'refusal' in outcome) throw outcome?.refusal
    const answer = outcome.answer as Answer
    return asked.steps.toFinish.length === 0 ? answer : await finish(asked, answer, write.isRepeatable === true ? work : null)
  }
}

async function isStored({ id, context }: KeyedWrite): Promise<boolean> {
  return (await context.services.database.query(storedAnswer, [id, oldestKept(context.now())])).length > 0
}
const uniqueViolation = '23505'
const oldestKept = (now: Date) => new Date(now.getTime() - keptHours * 3_600_000).toISOString()

// One batcher for each database and batch key.
const batchersOf = perObject<Database, Map<string, (asked: KeyedWrite) => Promise<Outcome>>>(() => new Map())

function batcherOf(database: Database, batchKey: string): (asked: KeyedWrite) => Promise<Outcome> {
  const batchers = batchersOf(database)
  const known = batchers.get(batchKey)
  if (known) return known
  const created = batcher<KeyedWrite, Outcome>(batch => writeAll(database, batch))
  batchers.set(batchKey, created)
  return created
}

/**
 * Runs the writes in one transaction, all or none. A single write claims its key first; when the key is taken, the write is refused or
 * answered from the store. Writes of a batch are assumed to be new, as nearly all are: when one is not, storing its answer fails, and the
 * batcher repeats each write alone.
 */
function writeAll(db: Queries, all: readonly KeyedWrite[]): Promise<Outcome[]> {
  const now = all[0]?.context.now() ?? new Date(0)
  const oldest = oldestKept(now)
  const [first] = all
  const isBatch = all.length > 1
  const valuesOf = (outcomes: readonly (Outcome | Done)[]) => {
    const done = outcomes.flatMap(outcome => ('row' in outcome ? [outcome.row] : []))
    const ids = done.map(({ id }) => id)
    return done.length > 0 ? [ids, storedJson(done), now.toISOString(), isBatch ? null : oldest] : undefined
  }
  return db.transaction(
    async tx => {
      const claim =
        first && !isBatch
          ? (await tx.query(claimKey, [first.id, oldest, now.toISOString()]))[0]
          : { held: true, fingerprint: null, answer: null, scopes: null, operationId: null, isOpen: false }
      const seen = new Set<string>()
      const outcomes = await allDone<Outcome | Done>(
        all.map(asked => {
          // Within a batch, the second write with the same key is refused, as in a transaction of its own.
          if (!claim?.held || seen.has(asked.id)) return { refusal: inFlight() }
          seen.add(asked.id)
          if (claim.fingerprint && claim.answer !== null) {
            const before = { ...claim, fingerprint: claim.fingerprint, answer: claim.answer }
            return replay(asked, before)
          }
          return write(asked, tx)
        }),
      )
      if (first?.idempotency.replayed) await tx.query(countReplay, [first.id])
      const values = isBatch ? undefined : valuesOf(outcomes)
      if (values) await tx.query(storeAnswers, values)
      return outcomes
    },
    {
      isShared: isBatch,
      // A batch is repeated by its batcher, write by write.
      isRepeatable: !isBatch,
      beforeCommit: outcomes => {
        const values = isBatch ? valuesOf(outcomes) : undefined
        return values && [storeAnswers, values]
      },
    },
  )
}

interface Done {
  answer: unknown
  row: StoredRow
}

/** A row of idempotency_keys, as the statements read it from JSON. */
interface StoredRow {
  id: string
  fingerprint: string
  /** The answer itself, not its JSON text, which PostgreSQL would store as a text within a text. */
  answer: unknown
  scopes: string | null
  open_until: string | null
  operation_id: string | null
  key: string | null
}

async function write(asked: KeyedWrite, tx: Queries): Promise<Done> {
  const { context, id, idempotency, stored, fingerprint, work } = asked
  // The batcher may repeat a write, which then begins without second steps.
  asked.steps = noSteps()
  const answer = await work({ ...context, db: tx, steps: asked.steps })
  const row: StoredRow = {
    id,
    fingerprint,
    answer: valueToStore(context, idempotency, stored, answer),
    scopes: scopesToStore(context, stored),
    open_until: openUntil(asked),
    operation_id: isId(context.requestId) ? context.requestId : null,
    // A secret answer is encrypted with the key as well, so its key is not stored.
    key: stored.isSecret ? null : idempotency.key,
  }
  return { answer, row }
}

interface Before extends Columns {
  fingerprint: string
  operationId: string | null
  isOpen: boolean
}

function replay(
  { context, idempotency, fingerprint, input }: KeyedWrite,
  { fingerprint: before, operationId, isOpen, ...columns }: Before,
): Outcome {
  if (before !== fingerprint && before !== formerFingerprintOf(idempotency, input))
    return { refusal: new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another input') }
  if (isOpen) return { refusal: inFlight() }
  try {
    const known = decodeAnswer(context, idempotency, columns)
    idempotency.replayed = true
    idempotency.replayedId = operationId
    return { answer: known }
  } catch (error) {
    // Returned, not thrown: the batcher would repeat a write that threw, and find the same answer.
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}

/**
 * Runs a write in two steps: `first` in a transaction, then `second` outside of it, for at most `withinMs`; `second` resolves with the
 * current row. Inside a transaction that an Idempotency-Key has opened, the second step runs after its commit. Inside any other transaction
 * it does not run, and the queue item that `first` has queued does the work.
 */
export async function inTwoSteps<Row>(
  context: Context,
  first: (context: Context) => Promise<Row>,
  second: (context: Context, row: Row) => Promise<Row>,
  withinMs: number,
): Promise<Row> {
  const { steps } = context
  // When the answer is built again, the calls of `inTwoSteps` come in the same order, so the next result has the type of this call.
  if (steps?.finished) return steps.finished.shift() as Row
  if (!context.db.inTransaction) {
    const row = await context.db.transaction(tx => first(inTransaction(context, tx)), { isRepeatable: true })
    context.deadline?.lift()
    return second(context, row)
  }
  const row = await first(context)
  const outside = { ...context, db: context.services.database, steps: undefined }
  steps?.toFinish.push({ finish: () => second(outside, row), withinMs })
  return row
}

const noSteps = (): Steps => ({ toFinish: [], finished: null })

/** Runs the second steps, then builds the answer again with their results. Without `work`, returns the first answer. */
async function finish<Answer>(asked: KeyedWrite, first: Answer, work: Work<Answer> | null): Promise<Answer> {
  const { context, id, idempotency, stored, steps } = asked
  let last = first
  context.deadline?.lift()
  try {
    const results: unknown[] = []
    for (const { finish } of steps.toFinish) results.push(await finish())
    if (work) last = await work({ ...context, steps: { toFinish: [], finished: results } })
  } catch (error) {
    // The first step is committed, so its answer is returned.
    context.services.log.warn({ err: error, requestId: context.requestId }, 'the second step of a write failed')
  }
  const value = storedJson(valueToStore(context, idempotency, stored, last))
  const replaced = await context.services.database.query(replaceAnswer, [id, value, context.now().toISOString()])
  return replaced.length > 0 ? last : first
}

// The time limits of all second steps, and a second for building and storing the answer.
function openUntil({ context, steps: { toFinish } }: KeyedWrite): string | null {
  if (toFinish.length === 0) return null
  return new Date(context.now().getTime() + toFinish.reduce((total, { withinMs }) => total + withinMs, 1000)).toISOString()
}

const inFlight = () =>
  new AppError('IDEMPOTENCY_IN_FLIGHT', 'The first request with this Idempotency-Key is still running', { retryAfter: 1 })
