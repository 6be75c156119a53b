// Two processes on one database: what is revoked in one is refused by the other.

import { startApp, type TestApp } from '../support/app.ts'
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts'

export interface TwoProcesses {
  database: TestDatabase
  first: TestApp
  second: TestApp
  close(): Promise<void>
}

export async function startTwoProcesses(env: Record<string, string> = {}): Promise<TwoProcesses> {
  const database = await createTestDatabase()
  const first = await startApp({ database, env })
  const second = await startApp({ database, env })
  return {
    ...{ database, first, second },
    async close() {
      await second.close()
      await first.close()
      await database.drop()
    },
  }
}
