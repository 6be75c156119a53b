// Sends a migration's SQL to a database in use, with short lock timeouts, so that other statements wait only a moment behind its locks.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isDeadlock, sqlState } from '../errors.ts'

/**
 * The first line of a migration whose statements do not block readers or writers, such as `create index concurrently if not exists`. The
 * statements, each ending with ";" at the end of a line, are sent one by one without a transaction. If the process is killed between two of
 * them, all are sent again, so each must be repeatable.
 */
export const outsideTransaction = '-- outside a transaction'

/**
 * A line before a statement outside a transaction that changes some of the rows which want a change. It is sent again until it changes none,
 * so that no row stays locked for long.
 */
export const repeated = /^-- repeat until no row changes$/m

export interface Waiting {
  /** How long a statement waits for a lock, in milliseconds. Meanwhile later statements on that table wait behind it. */
  lockTimeoutMs: number
  /** How often the script is tried, with growing pauses in between. */
  attempts: number
}

// 1 s: with the statement's own time, others wait less than 2 s. 60 attempts: about ten minutes, longer than any report reads a table.
const defaults: Waiting = { lockTimeoutMs: 1000, attempts: 60 }
const lockNotAvailable = '55P03'
// After a deadlock, the others go on at once.
const deadlockPauseMs = 100

/** Sends the script, with `ending` in its transaction. Throws the error of PostgreSQL; of a lock that it did not get or a deadlock, the last. */
export async function sendScript(pool: pg.Pool, script: string, ending?: string, waiting = defaults): Promise<void> {
  const isOutside = script.startsWith(outsideTransaction)
  // A script in one message is one transaction, which is rolled back when a lock times out or for a deadlock, so the whole script can be sent
  // again. So can repeatable statements.
  const whole = `set local lock_timeout = ${waiting.lockTimeoutMs};\n${script}${ending === undefined ? '' : `\n;\n${ending}`}`
  for (let attempt = 1; ; attempt++) {
    try {
      return isOutside ? await sendOneByOne(pool, script, ending) : void (await pool.query(whole))
    } catch (error) {
      if (!(sqlState(error) === lockNotAvailable || isDeadlock(error)) || attempt >= waiting.attempts) throw error
      // During the pause, the statements that waited behind our lock request run.
      const pauseMs = isDeadlock(error) ? deadlockPauseMs : waiting.lockTimeoutMs
      await sleep(Math.min(attempt, 10) * pauseMs * (0.75 + Math.random() / 2))
    }
  }
}

async function sendOneByOne(pool: pg.Pool, script: string, ending?: string): Promise<void> {
  // A concurrent index build waits for transactions that began before it, without blocking others.
  await pool.query('set lock_timeout = 0; set statement_timeout = 0')
  await dropUnfinished(pool, script)
  for (const one of script.split(/;\s*$/m).filter(part => part.split('\n').some(line => !/^\s*(--|$)/.test(line)))) {
    const changes = async () => (await pool.query(one)).rowCount ?? 0
    if (!repeated.test(one)) await changes()
    else while ((await changes()) > 0);
  }
  if (ending !== undefined) await pool.query(ending)
}

// An interrupted concurrent build leaves an invalid index, which "if not exists" would keep.
async function dropUnfinished(pool: pg.Pool, script: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows)
    if (new RegExp(`\\b${name}\\b`).test(script)) await pool.query(`drop index concurrently if exists "${name.replaceAll('"', '""')}"`)
}
