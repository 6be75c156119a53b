// Accounts with something due that nobody has looked at: grants that begin or end, holds that have lapsed.

import { v7 as uuid } from 'uuid'
import { createContext, type Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { bringUpToDate } from './account.ts'

// In the order of users, so that an account that cannot be brought up to date does not keep the others waiting.
const slice = 500
const readDue = statement<{ userId: string }>(
  'credits_due',
  `select user_id as "userId" from credit_accounts where due_at <= $1::timestamptz and user_id > $2 order by user_id limit ${slice}`,
)

/** Brings every due account up to date, each in a transaction of its own. */
export async function seeToDueAccounts(services: Services, signal?: AbortSignal): Promise<void> {
  const { database, log, now } = services
  const principal = { kind: 'system', name: 'credits', orgId: null } as const
  const context = createContext(services, { principal, requestId: uuid(), door: 'tasks', operation: 'creditsDue' })
  for (let last = ''; ; ) {
    const accounts = await database.query(readDue, [now().toISOString(), last])
    for (const { userId } of accounts) {
      signal?.throwIfAborted()
      await bringUpToDate(context, userId).catch((error: unknown) =>
        log.error({ err: error, userId }, 'an account could not be brought up to date'),
      )
      last = userId
    }
    if (accounts.length < slice) return
  }
}
