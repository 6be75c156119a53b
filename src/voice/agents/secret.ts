// The secrets that sign agents' messages (Standard Webhooks). They are derived, so none is stored.

import { createHmac } from 'node:crypto'
import type { Config } from '../../config/environment.ts'
import type { VoiceAgent } from './agent.sql.ts'

/** How long the previous secret stays valid after a rotation. */
export const overlapMs = 86_400_000

type Keyed = Pick<VoiceAgent, 'id' | 'secretVersion' | 'secretRotatedAt'>

/** The agent's valid secrets, the current one first. */
export function secretsOf(config: Config, agent: Keyed, now: Date): string[] {
  const { secretVersion, secretRotatedAt } = agent
  const isOverlap = secretRotatedAt !== null && now.getTime() - Date.parse(secretRotatedAt) < overlapMs
  return [secretVersion, ...(isOverlap ? [secretVersion - 1] : [])].map(version => deriveSecret(config, agent.id, version))
}

function deriveSecret(config: Config, agentId: string, version: number): string {
  // With an outside identity provider, IDENTITY_SECRET is a random default that differs between processes.
  const base = config.VOICE_SIGNING_SECRET ?? (config.IDENTITY_ISSUER ? config.SVC_SERVICES_TOKEN : config.IDENTITY_SECRET) ?? ''
  return `whsec_${createHmac('sha256', base).update(`voice agent ${agentId} ${version}`).digest('base64')}`
}
