// How a migration's SQL is sent to a database that is in use: statements behind its locks wait a moment, not as long as it does.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/**
 * The first line of a migration that takes no locks that readers or writers wait for, such as `create index concurrently if not exists`.
 * Its statements, each ending with a line's last ";", are sent one by one without a transaction. A process may be killed between two of them,
 * and all are sent again then: each must be written so that it may be repeated.
 */
export const outsideTransaction = '-- outside a transaction'

export interface Waiting {
  /** Milliseconds that a statement waits for a lock. Meanwhile everybody who asks for that table later waits behind it. */
  lockTimeoutMs: number
  /** Times that the script is tried, with a growing pause in between. */
  attempts: number
}

// 1 s: with what the statement itself takes nobody is kept waiting for two. 60 attempts: about ten minutes, longer than any report reads.
export const patience: Waiting = { lockTimeoutMs: 1000, attempts: 60 }
const lockNotAvailable = '55P03'

/** Sends the script, and `ending` in its transaction. Throws the error of PostgreSQL, a lock that was never free included. */
export async function sendScript(pool: pg.Pool, script: string, ending?: string, waiting = patience): Promise<void> {
  if (script.startsWith(outsideTransaction)) return await sendOneByOne(pool, script, ending)
  // A script in one message is one transaction, which undoes itself: what it was refused a lock for may be tried again whole.
  const whole = `set local lock_timeout = ${waiting.lockTimeoutMs};\n${script}${ending === undefined ? '' : `\n;\n${ending}`}`
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await pool.query(whole))
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockNotAvailable || attempt >= waiting.attempts) throw error
      // Those who waited behind us have their turn first.
      await sleep(Math.min(attempt, 10) * waiting.lockTimeoutMs * (0.75 + Math.random() / 2))
    }
  }
}

async function sendOneByOne(pool: pg.Pool, script: string, ending?: string): Promise<void> {
  // A build waits for transactions that began before it, and keeps nobody waiting meanwhile.
  await pool.query('set lock_timeout = 0; set statement_timeout = 0')
  await dropUnfinished(pool, script)
  for (const one of script.split(/;\s*$/m).filter(part => part.replace(/^\s*--.*$/gm, '').trim())) await pool.query(one)
  if (ending !== undefined) await pool.query(ending)
}

// An index whose concurrent build was interrupted stands there, is kept up to date and never read; "if not exists" would leave it so.
async function dropUnfinished(pool: pg.Pool, script: string): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of rows)
    if (new RegExp(`\\b${name}\\b`).test(script)) await pool.query(`drop index concurrently if exists "${name.replaceAll('"', '""')}"`)
}
