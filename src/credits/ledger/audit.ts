// The audit: compares every account with the sum of its entries.

import type { Database } from '../../database/client.ts'
import { creditsOf } from '../../kernel/money.ts'
import { countLedger, findDifferences } from './audit.sql.ts'

/** A stored value that differs from the sum of the ledger's entries. */
interface Finding {
  userId: string
  what: string
  /** The value according to the ledger, in credits; for counts, a number. */
  expected: number
  /** The stored value. */
  actual: number
}

export interface Audit {
  accounts: number
  entries: number
  findings: Finding[]
}

/** Checks every account in one snapshot of the database. */
export function auditCredits(database: Database): Promise<Audit> {
  return database.transaction(async tx => {
    // No timeout: the audit may take minutes where a request may not.
    await tx.execute('set transaction isolation level repeatable read, read only')
    await tx.execute('set local statement_timeout = 0')
    const [counted] = await tx.query(countLedger)
    const found = await tx.query(findDifferences)
    const findings = found.map(({ isCount, expected, actual, ...finding }) => ({
      ...finding,
      expected: isCount ? expected : creditsOf(expected),
      actual: isCount ? actual : creditsOf(actual),
    }))
    return { accounts: counted?.accounts ?? 0, entries: counted?.entries ?? 0, findings }
  })
}
