// The person at this browser: a signed-in user, a guest, or a stranger. All tabs share the caller in localStorage (README: where the token
// lives).

import { useSyncExternalStore } from 'react'
import { newId } from '../data/new-id.ts'

export type Caller = { kind: 'user'; token: string; userId: string } | { kind: 'guest'; guestId: string } | { kind: 'stranger' }

const callerKey = 'rolocom.caller'
const organizationKey = 'rolocom.organization'
const stranger: Caller = { kind: 'stranger' }
const listeners = new Set<() => void>()

let caller = readCaller()
let organizationId = read(organizationKey)

// Another tab signed in or out, or chose another organization.
window.addEventListener('storage', event => {
  if (event.key !== null && event.key !== callerKey && event.key !== organizationKey) return
  caller = readCaller()
  organizationId = read(organizationKey)
  tell()
})

export const currentCaller = (): Caller => caller
export const currentOrganizationId = (): string | null => organizationId

export function signInAs(session: { token: string; userId: string }): void {
  change({ kind: 'user', ...session })
}

/** Enters the demo organization as a guest, with this browser's own id. */
export function enterAsGuest(): void {
  change({ kind: 'guest', guestId: newId() })
}

/** Forgets the session here and in all tabs. `signOut` ends the session on the server. */
export function forgetCaller(): void {
  change(stranger)
}

export function chooseOrganization(id: string | null): void {
  organizationId = id
  write(organizationKey, id)
  tell()
}

/** The headers that identify the caller. */
export function callerHeaders(): Record<string, string> {
  if (caller.kind === 'stranger') return {}
  if (caller.kind === 'guest') return { 'x-guest-id': caller.guestId }
  return { authorization: `Bearer ${caller.token}`, ...(organizationId && { 'x-org-id': organizationId }) }
}

export const useCaller = (): Caller => useSyncExternalStore(subscribeToCaller, currentCaller)
export const useOrganizationId = (): string | null => useSyncExternalStore(subscribeToCaller, currentOrganizationId)

export function subscribeToCaller(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: Caller): void {
  caller = next
  organizationId = null
  write(organizationKey, null)
  write(callerKey, next.kind === 'stranger' ? null : JSON.stringify(next))
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

function readCaller(): Caller {
  const text = read(callerKey)
  if (!text) return stranger
  try {
    const value: unknown = JSON.parse(text)
    return isCaller(value) ? value : stranger
  } catch {
    return stranger
  }
}

function isCaller(value: unknown): value is Caller {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  if (value.kind === 'guest') return 'guestId' in value && typeof value.guestId === 'string'
  return (
    value.kind === 'user' && 'token' in value && typeof value.token === 'string' && 'userId' in value && typeof value.userId === 'string'
  )
}

// If the browser forbids storage, the session lasts as long as the page.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // If the browser forbids storage, the session lasts as long as the page.
  }
}
