// The work of every minute on accounts. Reading an account updates it too; this sends the events of accounts that nobody reads.

import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { bringDueAccountsUpToDate } from './account.ts'
import { moveReturnedCredits } from './succession.ts'

export const accountsHandler = handlerOf(
  queueItem('credits-due', { retryLimit: 0, retryDelaySeconds: 1, timeoutSeconds: 300, concurrency: 1, cron: '* * * * *' }),
  async (services, { signal }) => {
    await bringDueAccountsUpToDate(services, signal)
    await moveReturnedCredits(services, signal)
  },
)
