// Sends statements on a connection or on the pool, counts them, and translates their errors.

import type pg from 'pg'
import { translateError } from '../errors.ts'
import type { Statement } from '../statement.ts'
import { queryRows } from './row-query.ts'
import type { SharedConnections } from './shared-connections.ts'
import { inStatementSpan } from './span.ts'

type Target = pg.Pool | pg.PoolClient

export interface Sender {
  query<Row>(target: Target, statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
  execute(target: Target, text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  /** Errors of these are not translated here, but by the transaction. */
  control(connection: pg.PoolClient, text: 'BEGIN' | 'COMMIT' | 'SAVEPOINT aside' | 'ROLLBACK TO aside; RELEASE aside'): Promise<unknown>
}

// The texts that the queue sends are few, and planning most of them takes longer than executing them. Their number is bounded all the
// same. A text with a semicolon may contain several statements, which cannot be prepared.
const named = new Map<string, string>()
function nameFor(text: string): string {
  const known = named.get(text)
  if (known !== undefined || named.size >= 200) return known ?? ''
  const name = `execute_${named.size}`
  named.set(text, name)
  return name
}

export function createSender(pool: pg.Pool, shared: SharedConnections, onStatement: (name: string) => void = () => {}): Sender {
  return {
    async query<Row>(target: Target, statement: Statement<Row>, values: readonly unknown[]) {
      onStatement(statement.name)
      const free = statement.isShort && target === pool ? shared.free() : undefined
      try {
        return await inStatementSpan(statement.name || statement.text, () => queryRows(free ?? target, statement, values))
      } catch (error) {
        throw translateError(error)
      }
    },
    async execute(target, text, values) {
      onStatement('execute')
      try {
        return await inStatementSpan(text, () =>
          text.includes(';') ? target.query(text, values) : target.query({ name: nameFor(text), text, values: values ?? [] }),
        )
      } catch (error) {
        throw translateError(error)
      }
    },
    control(connection, text) {
      onStatement(text.toLowerCase())
      return inStatementSpan(text, () => connection.query(text))
    },
  }
}
