// audit: compares the balances of all credit accounts with the ledger.

import { ConfigError } from '../../config/environment.ts'
import { auditCredits } from '../../credits/ledger/audit.ts'
import { openDatabase } from '../../database/client.ts'
import { AuditError, type Command, reachDatabase, upToDate } from './command.ts'

export async function audit(command: Command): Promise<void> {
  const { config, log, words, print } = command
  const [subject = 'credits'] = words
  if (subject !== 'credits') throw new ConfigError([`audit knows credits, not "${subject}"`])
  const { url, leave } = await reachDatabase(command)
  const database = openDatabase({ url, poolSize: 2 })
  try {
    await upToDate(config, url, log)
    const { accounts, entries, findings } = await auditCredits(database)
    for (const { userId, what, expected, actual } of findings) print(`${userId}: ${what} should be ${expected}, is ${actual}`)
    print(`${accounts} accounts, ${entries} entries, ${findings.length} findings`)
    if (findings.length > 0) throw new AuditError('The accounts listed above do not agree with the ledger')
  } finally {
    await database.close()
    await leave()
  }
}
