// The credit API of another server, for gateways that run apart from the ledger.

import type { Services } from '../context.ts'
import type { TaskPayloads } from '../tasks.ts'
import { userAgent } from '../user-agent.ts'
import { workingOn } from './claim.ts'

const timeoutMs = 10_000

/** Asks for what a run cost. Repeats are one charge: the key is the run's. Throws when the server does not confirm, with its reason. */
export async function deductFor(services: Services, { orgId, runId, amount, key }: TaskPayloads['run-charge']): Promise<void> {
  const { SESSION_API_URL, SVC_SERVICES_TOKEN } = services.config
  if (!SESSION_API_URL) throw new Error('SESSION_API_URL is not set any more')
  // While two are valid, the first is the newer one.
  const [token = ''] = (SVC_SERVICES_TOKEN ?? '').split(',')
  const userId = await services.money.payerOf(workingOn(services, orgId, runId))
  const response = await fetch(`${SESSION_API_URL}/api/credits/deduct`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-services-token': token.trim(), 'idempotency-key': key, 'user-agent': userAgent },
    body: JSON.stringify({ user_id: userId, amount, reference: `run:${runId}` }),
    // The token does not follow a redirect.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`the credit API answered ${response.status}: ${text.slice(0, 300)}`)
}
