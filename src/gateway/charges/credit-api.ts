// Debits through the credit API of another server, for a gateway whose ledger is there.

import type { Services } from '../../kernel/context.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { boundedFetch } from '../../kernel/outgoing/fetch.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import { workerContext } from '../runs/claim.ts'

const timeoutMs = 10_000

interface RunCharge {
  orgId: string
  runId: string
  /** In credits. */
  amount: number
  /** The charge happens once per key. */
  key: string
}

/** The retries take six hours in all, less than the 24 hours for which the other server keeps the idempotency key. */
export const chargeItem = queueItem<RunCharge>('run-charge', { retryLimit: 12, retryDelaySeconds: 5, timeoutSeconds: 30, concurrency: 4 })
export const chargeHandler = handlerOf(chargeItem, (services, { payload }) => deductFor(services, payload))

/** Debits the cost of a run. Repeats are one debit, by the idempotency key. Throws unless the server confirms. */
async function deductFor(services: Services, { orgId, runId, amount, key }: RunCharge): Promise<void> {
  const { SESSION_API_URL, SVC_SERVICES_TOKEN } = services.config
  if (!SESSION_API_URL) throw new Error('SESSION_API_URL is not set any more')
  // During a rotation there are two tokens, the newer one first.
  const [token = ''] = (SVC_SERVICES_TOKEN ?? '').split(',')
  const userId = await services.money.payerOf(workerContext(services, orgId, runId))
  const url = `${SESSION_API_URL}/api/credits/deduct`
  const headers = {
    'content-type': 'application/json',
    'x-svc-services-token': token.trim(),
    'idempotency-key': key,
  }
  const response = await boundedFetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ user_id: userId, amount, reference: `run:${runId}` }),
    // The token must not be sent to where a redirect leads.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`the credit API answered ${response.status}: ${storableText(text, { maxLength: 300 })}`)
}
