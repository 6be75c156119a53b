// Identifies a write with an Idempotency-Key: the id under which its answer is stored, and the fingerprint of its input. Both are SHA-256 in
// hexadecimal, as the statements take them.

import { hash } from 'node:crypto'
import type { Context, IdempotencyKey } from '../context.ts'
import { actorOf, organizationNamed } from '../principal.ts'

/** The id of the key in its scope. The operation is the one that the door names, otherwise the write's own. */
export function idOf(
  context: Context,
  { key, operation }: IdempotencyKey,
  write: { operation: string; isPersonal?: boolean; isSecret?: boolean },
): string {
  // A personal write is not scoped to the organization: the write may make the caller's first one, and its retry would have another scope.
  const scope = write.isPersonal ? actorIn(context) : write.isSecret ? `${scopeOf(context)}\n${actorIn(context)}` : scopeOf(context)
  return sha256(`${scope}\n${operation ?? write.operation}\n${key}`)
}

/** The hash of the caller's input, or else of the write's input. It does not depend on the order of members. */
export const fingerprintOf = ({ sent }: IdempotencyKey, input: unknown): string =>
  sha256(sent === undefined ? canonical(input) : `${version}\n${canonical(sent)}`)

/** The fingerprint as a release stored it that had no `sent`. */
export const formerFingerprintOf = ({ formerly }: IdempotencyKey, input: unknown): string => sha256(formerly ?? canonical(input))

// The version of the form of `sent`. A release that changes the form must compare with this version too, because stored answers have it.
const version = 'sent 1'

// A key's scope is the organization, so that a client can retry with a rotated API key; without an organization, the user.
function scopeOf({ principal, requestedOrgId }: Context): string {
  switch (principal.kind) {
    case 'api_key':
    case 'access_token':
    case 'session':
    case 'service': {
      const orgId = organizationNamed(principal, requestedOrgId)
      return orgId ? `org:${orgId}` : `${principal.kind}:${principal.userId}`
    }
    case 'identity':
      return `user:${principal.userId}`
    case 'hook':
      return `hook:${principal.orgId}:${principal.runId ?? ''}`
    case 'system':
      return `system:${principal.name}`
    case 'guest':
    case 'anonymous':
      // `createContext` drops their keys.
      throw new Error('a caller without an identity has no stored answers')
  }
}

// An answer that contains a secret is returned only to the same person or API key, not to other members.
function actorIn({ principal }: Context): string {
  const { type, id } = actorOf(principal)
  return `${type}:${id}`
}

const sha256 = (text: string) => hash('sha256', text, 'hex')

// JSON with sorted members and without absent ones, so that neither changes the fingerprint.
const canonical = (value: unknown) => JSON.stringify(sortKeys(value))

function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sortKeys)
  if ('toJSON' in value && typeof value.toJSON === 'function') return sortKeys(value.toJSON())
  const members = value as Record<string, unknown>
  const names = Object.keys(members).sort()
  return Object.fromEntries(names.map(name => [name, sortKeys(members[name])]))
}
