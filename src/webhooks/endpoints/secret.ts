// The secrets that sign deliveries (Standard Webhooks). Derived, so that none is stored.

import { createHmac } from 'node:crypto'
import type { Config } from '../../config/environment.ts'
import type { Endpoint } from './endpoint.sql.ts'

type Keyed = Pick<Endpoint, 'id' | 'secretVersion' | 'previousSecretUntil'>

/** The endpoint's live secrets, the current one first. */
export function secretsOf(config: Config, { id, secretVersion, previousSecretUntil }: Keyed, now: Date): string[] {
  const isOverlap = previousSecretUntil !== null && Date.parse(previousSecretUntil) > now.getTime()
  return [secretVersion, ...(isOverlap ? [secretVersion - 1] : [])].map(version => deriveSecret(config, id, version))
}

function deriveSecret(config: Config, endpointId: string, version: number): string {
  // With an outside identity provider, IDENTITY_SECRET is a random default that differs between processes.
  const base = config.WEBHOOK_SIGNING_SECRET ?? (config.IDENTITY_ISSUER ? config.SVC_SERVICES_TOKEN : config.IDENTITY_SECRET) ?? ''
  return `whsec_${createHmac('sha256', base).update(`webhook endpoint ${endpointId} ${version}`).digest('base64')}`
}
