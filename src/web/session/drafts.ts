// Drafts: typed and unsaved text. This tab keeps it while somebody signs in again, closes the panel or is offline.

import { currentCaller, currentOrganizationId } from './caller.ts'

const prefix = 'rolocom.draft.'

// A draft belongs to a user and an organization, because the next user of this tab, or the next organization, may be another.
function keyOf(name: string): string {
  const caller = currentCaller()
  return `${prefix}${caller.kind === 'user' ? caller.userId : ''} ${currentOrganizationId()} ${name}`
}

export function readDraft<Values extends object>(name: string): Partial<Values> | null {
  const text = sessionStorage.getItem(keyOf(name))
  // Guarantee: `keepDraft` wrote it under the same name, in this tab.
  return text === null ? null : (JSON.parse(text) as Partial<Values>)
}

export function keepDraft(name: string, values: object): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(values))
}

export function moveDraft(from: string, to: string): void {
  const text = sessionStorage.getItem(keyOf(from))
  if (text === null || from === to) return
  sessionStorage.setItem(keyOf(to), text)
  sessionStorage.removeItem(keyOf(from))
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name))
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
