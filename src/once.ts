// At most once: a write that came with an Idempotency-Key runs in one transaction with the row that remembers its answer.

import { hash } from 'node:crypto'
import { type Context, type IdempotencyKey, inTransaction, type Steps } from './context.ts'
import { convoy } from './convoy.ts'
import { type Database, type Queries, statement } from './database/client.ts'
import { AppError } from './errors.ts'
import { actorOf, organizationNamed } from './identity/principal.ts'
import { ofEach } from './own.ts'
import { type Columns, decodeAnswer, encodeAnswer, type StoredAnswer } from './stored-answer.ts'

/** Hours an answer is kept. */
export const keptHours = 24

/** What is asked: the operation's name, and the input its answer depends on. */
export interface Write extends StoredAnswer {
  operation: string
  input: unknown
  /** It needs no transaction of its own: it may share one with others of this kind that come at the same moment. One of a few. */
  joins?: string | undefined
  /** Its answer may be made again, from what came of its second steps. */
  isRepeatable?: boolean
}

type Work<Answer> = (context: Context) => Promise<Answer>

/** A write on its way: to be done, or answered from the store. */
interface Asked {
  context: Context
  idempotency: IdempotencyKey
  stored: StoredAnswer
  id: Buffer
  fingerprint: Buffer
  work: Work<unknown>
  steps: Steps
}
type Outcome = { answer: unknown } | { refusal: AppError }

// One statement locks the key for this transaction, without waiting, and reads what is stored under it.
const claimKey = statement<{ held: boolean; fingerprint: Buffer | null; answer: string | null; scopes: string | null; isOpen: boolean }>(
  'idempotency_claim',
  `select pg_try_advisory_xact_lock($1::bigint) as held, k.fingerprint, k.answer, k.scopes, coalesce(k.open_until > $4, false) as "isOpen"
   from (select $2::bytea as id) asked left join idempotency_keys k on k.id = asked.id and k.created_at > $3::timestamptz`,
)
const storedAnswer = statement<never>('idempotency_stored', 'select from idempotency_keys where id = $1 and created_at > $2::timestamptz')
// An answer older than it is kept gives way; a younger one was stored between our claim and now, and wins.
const insertAnswers = `insert into idempotency_keys as k (id, fingerprint, answer, scopes, open_until, created_at)
   select decode(id, 'hex'), decode(fingerprint, 'hex'), answer, scopes, open_until, $2
   from json_to_recordset($1::json) as answered (id text, fingerprint text, answer text, scopes text, open_until timestamptz)`
const storeAnswer = statement<{ id: Buffer }>(
  'idempotency_store',
  `${insertAnswers}
   on conflict (id) do update set fingerprint = excluded.fingerprint, answer = excluded.answer, scopes = excluded.scopes, created_at = excluded.created_at,
     open_until = excluded.open_until
   where k.created_at <= $3::timestamptz returning id`,
)
// Any that is there already, outdated or not, undoes them all.
const storeNewAnswers = statement<never>('idempotency_store_new', insertAnswers)
// An answer that stayed open too long may have been given to somebody by now, and stays as it is.
const replaceAnswer = statement<{ id: Buffer }>(
  'idempotency_replace',
  'update idempotency_keys set answer = $2, open_until = null where id = $1 and open_until > $3::timestamptz returning id',
)

/** Thrown by a write that shares its transaction and finds that it needs one of its own: each of them is then done again, alone. */
export class NotInCompany extends Error {}

/** Thrown inside the transaction to undo it: another process stored its answer first, so this one is read instead. */
class Overtaken extends Error {}

/**
 * Runs a write at most once per key. `work` resolves with its answer, which is stored with its effects; when it throws, neither is.
 * Throws IDEMPOTENCY_IN_FLIGHT while the first is still running and IDEMPOTENCY_MISMATCH when the input is another one.
 *
 * Where the work leaves second steps, they run after the commit, and a repeatable answer is made anew from what came of them. The key
 * counts as running until then; a process killed in between leaves the first answer.
 */
export async function once<Answer>(context: Context, write: Write, work: Work<Answer>): Promise<Answer> {
  const { idempotency, services } = context
  if (!idempotency) return work(context)

  const scope = write.isSecret ? personOf(context) : scopeOf(context)
  const id = sha256(`${scope}\n${idempotency.operation ?? write.operation}\n${idempotency.key}`)
  const asked: Asked = {
    context,
    idempotency,
    stored: write,
    id,
    fingerprint: sha256(idempotency.sameWhen ?? canonical(write.input)),
    work,
    steps: noSteps(),
  }
  const join = write.joins !== undefined && !context.db.inTransaction && convoyOf(services.database, write.joins)
  for (;;) {
    let outcome: Outcome | undefined
    try {
      ;[outcome] = join ? [await join(asked)] : await doTogether(context.db, [asked], false)
    } catch (error) {
      // In company nobody else is kept from the key: what has failed may have, because the same was done meanwhile.
      if (error instanceof Overtaken || (join && (await isStored(asked)))) continue
      throw error
    }
    if (!outcome || 'refusal' in outcome) throw outcome?.refusal
    const answer = outcome.answer as Answer
    return asked.steps.toFinish.length === 0 ? answer : await finished(asked, answer, write.isRepeatable === true ? work : null)
  }
}

async function isStored({ id, context }: Asked): Promise<boolean> {
  return (await context.services.database.query(storedAnswer, [id, oldestKept(context.now())])).length > 0
}
const oldestKept = (now: Date) => new Date(now.getTime() - keptHours * 3_600_000).toISOString()

type Join = (asked: Asked) => Promise<Outcome>
// For each database that this process writes to, one convoy for each kind: writes of a kind wait for the same things.
const joinsOf = ofEach<Database, Map<string, Join>>(() => new Map())

function convoyOf(database: Database, kind: string): Join {
  const joins = joinsOf(database)
  let join = joins.get(kind)
  // Two lanes: while the database writes one group, this process makes the next.
  if (!join) joins.set(kind, (join = convoy((all, isInCompany) => doTogether(database, all, isInCompany), { lanes: 2, isShared: true })))
  return join
}

/**
 * Does the writes in one transaction: all that are to be done, or none. Those that are not to be done are refused or answered. One that is
 * alone claims its key first. In company they are taken to be new, as nearly all are: where one is not, storing its answer finds out, they
 * are undone, and each is done alone.
 */
function doTogether(db: Queries, all: readonly Asked[], isInCompany: boolean): Promise<Outcome[]> {
  return db.transaction(async tx => {
    const now = all[0]?.context.now() ?? new Date(0)
    const oldest = oldestKept(now)
    const [only] = all
    const claim =
      only && !isInCompany
        ? (await tx.query(claimKey, [only.id.readBigInt64BE(0), only.id, oldest, now.toISOString()]))[0]
        : { held: true, fingerprint: null, answer: null, scopes: null, isOpen: false }
    const seen = new Set<string>()
    const outcomes = await allDone(
      all.map(asked => {
        // Twice in one transaction is as much in flight as in two.
        const isFirst = !seen.has(asked.id.toString('hex')) && seen.add(asked.id.toString('hex'))
        if (!claim?.held || !isFirst) return { refusal: inFlight() }
        if (claim.fingerprint && claim.answer !== null) {
          const before = { ...claim, fingerprint: claim.fingerprint, answer: claim.answer }
          return replayed(asked, before)
        }
        return doOne(asked, tx, isInCompany)
      }),
    )
    const done = outcomes.flatMap(outcome => ('kept' in outcome ? [outcome] : []))
    if (done.length === 0) return outcomes
    const answers = JSON.stringify(done.map(rowOf))
    if (isInCompany) tx.withCommit(storeNewAnswers, () => [answers, now.toISOString()])
    else if ((await tx.query(storeAnswer, [answers, now.toISOString(), oldest])).length === 0) throw new Overtaken()
    return outcomes
  })
}

// What one of them throws undoes the transaction, which must not end while the others still write in it.
async function allDone<Doing>(all: readonly Doing[]): Promise<Awaited<Doing>[]> {
  const settled = await Promise.allSettled(all)
  return settled.map(one => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

const rowOf = ({ id, fingerprint, kept, openUntil }: Awaited<ReturnType<typeof doOne>>) => ({
  id: id.toString('hex'),
  fingerprint: fingerprint.toString('hex'),
  ...kept,
  open_until: openUntil,
})

async function doOne(asked: Asked, tx: Queries, isInCompany: boolean) {
  const { context, id, fingerprint, work } = asked
  // Undone and done again, the steps begin anew.
  asked.steps = noSteps()
  const answer = await work({ ...inTransaction(context, tx), steps: asked.steps, isInCompany })
  return { answer, id, fingerprint, kept: columnsOf(asked, answer), openUntil: openUntil(asked) }
}

const columnsOf = ({ context, idempotency, stored }: Asked, answer: unknown) => encodeAnswer(context, idempotency, stored, answer)

interface Before extends Columns {
  fingerprint: Buffer
  isOpen: boolean
}

function replayed({ context, idempotency, fingerprint }: Asked, { fingerprint: before, isOpen, ...columns }: Before): Outcome {
  if (!before.equals(fingerprint))
    return { refusal: new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another input') }
  if (isOpen) return { refusal: inFlight() }
  try {
    const known = decodeAnswer(context, idempotency, columns)
    idempotency.replayed = true
    return { answer: known }
  } catch (error) {
    // An outcome, not a failure of the write: that one would be tried again, and find the same answer.
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}

/**
 * A write in two steps: `first` in a transaction, then `second` outside of it, which takes at most `withinMs` and resolves with what the
 * first one's row has become. Within a transaction of the caller's the second step waits for its commit where an Idempotency-Key brought
 * it about, and is left to whoever works through what was queued otherwise.
 */
export async function inTwoSteps<Row>(
  context: Context,
  first: (context: Context) => Promise<Row>,
  second: (context: Context, row: Row) => Promise<Row>,
  withinMs: number,
): Promise<Row> {
  const { steps } = context
  // The steps of one answer are made and taken in one order, by rules that know the type of theirs.
  if (steps?.finished) return steps.finished.shift() as Row
  if (!context.db.inTransaction) return second(context, await context.db.transaction(tx => first(inTransaction(context, tx))))
  const row = await first(context)
  const outside = { ...context, db: context.services.database, steps: undefined }
  steps?.toFinish.push({ finish: () => second(outside, row), withinMs })
  return row
}

const noSteps = (): Steps => ({ toFinish: [], finished: null })

/** Takes the second steps, and the answer once more with what came of them; without `work` it stays the first. */
async function finished<Answer>(asked: Asked, first: Answer, work: Work<Answer> | null): Promise<Answer> {
  const { context, id, steps } = asked
  let last = first
  try {
    const results: unknown[] = []
    for (const { finish } of steps.toFinish) results.push(await finish())
    if (work) last = await work({ ...context, steps: { toFinish: [], finished: results } })
  } catch (error) {
    // What was committed stands, and its answer with it.
    context.services.log.warn({ err: error, requestId: context.requestId }, 'the second step of a write failed')
  }
  const replaced = await context.services.database.query(replaceAnswer, [id, columnsOf(asked, last).answer, context.now().toISOString()])
  return replaced.length > 0 ? last : first
}

// A second more than the steps take: for making the answer, and for storing it.
function openUntil({ context, steps: { toFinish } }: Asked): string | null {
  if (toFinish.length === 0) return null
  return new Date(context.now().getTime() + toFinish.reduce((total, { withinMs }) => total + withinMs, 1000)).toISOString()
}

const inFlight = () =>
  new AppError('IDEMPOTENCY_IN_FLIGHT', 'The first request with this Idempotency-Key is still running', { retryAfter: 1 })

// Keys belong to the organization, so that a rotated API key can still retry; without one, to the user.
function scopeOf({ principal, requestedOrgId }: Context): string {
  switch (principal.kind) {
    case 'api_key':
    case 'session':
    case 'service': {
      const orgId = organizationNamed(principal, requestedOrgId)
      return orgId ? `org:${orgId}` : `${principal.kind}:${principal.userId}`
    }
    case 'guest':
      return `guest:${principal.guestId}`
    case 'identity':
      return `user:${principal.userId}`
    case 'hook':
      return `hook:${principal.orgId}:${principal.runId ?? ''}`
    case 'system':
      return `system:${principal.name}`
    case 'anonymous':
      return 'anonymous'
  }
}

// An answer that shows a secret is for the person or the API key that asked, and for no other member.
function personOf(context: Context): string {
  const { type, id } = actorOf(context.principal)
  return `${scopeOf(context)}\n${type}:${id}`
}

const sha256 = (text: string) => hash('sha256', text, 'buffer')

// JSON with sorted members: two spellings of one input have one fingerprint.
const canonical = (value: unknown) => JSON.stringify(sorted(value))

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  if ('toJSON' in value && typeof value.toJSON === 'function') return sorted(value.toJSON())
  const members = value as Record<string, unknown>
  // Without a prototype, so that a member named __proto__ is one like others.
  const inOrder: Record<string, unknown> = Object.create(null)
  for (const name of Object.keys(members).sort()) inOrder[name] = sorted(members[name])
  return inOrder
}
