// Providers that the operator pays, and which organizations may use them.

import { mayUsePaid, paidRefusal, requirePaid } from '../../identity/organizations/first.ts'
import type { Context, Services } from '../../kernel/context.ts'
import type { ProviderName } from './telephony.ts'

// The simulator is free, and `http` uses the organization's own server.
const paid: Readonly<Record<ProviderName, boolean>> = { simulator: false, http: false, twilio: true, vapi: true }

/** Throws FORBIDDEN if the organization may not use the provider. */
export async function requireProvider(context: Context, provider: ProviderName): Promise<void> {
  if (paid[provider]) await requirePaid(context, provider)
}

/** Why the organization may not use the provider; null if it may. Checked again before each dial, because the setting may change. */
export async function refusalOfProvider(services: Services, provider: ProviderName, orgId: string): Promise<string | null> {
  return paid[provider] && !(await mayUsePaid(services, orgId)) ? paidRefusal(provider, orgId) : null
}
