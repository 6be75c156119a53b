// Telephone companies that the operator pays: whom they serve.

import type { Context, Services } from '../context.ts'
import { mayUsePaid, paidRefusal, requirePaid } from '../identity/first-organization.ts'
import type { ProviderName } from './telephony.ts'

// The simulator costs nothing, and behind `http` stands a server of the organization's own.
const paid: Readonly<Record<ProviderName, boolean>> = { simulator: false, http: false, twilio: true, vapi: true }

/** Throws FORBIDDEN where the organization may not use the provider. */
export async function requireProvider(context: Context, provider: ProviderName): Promise<void> {
  if (paid[provider]) await requirePaid(context, provider)
}

/** Why the provider does not serve the organization; null where it does. What was allowed once may not be any more. */
export async function refusedProvider(services: Services, provider: ProviderName, orgId: string): Promise<string | null> {
  return paid[provider] && !(await mayUsePaid(services, orgId)) ? paidRefusal(provider, orgId) : null
}
