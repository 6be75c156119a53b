// Signing out: ends the session and the identity cookie that could open another one. All tabs hear of it.

import { ask } from '../data/ask.ts'
import { EndSessionDocument } from '../generated/documents/session.ts'
import { currentCaller, forgetCaller } from './caller.ts'
import { forgetDrafts } from './drafts.ts'

const unsent = new Set<() => Promise<unknown>>()

/** Has `send` write what a screen keeps back, before the session ends. Returns the function that takes it out again. */
export function beforeSignOut(send: () => Promise<unknown>): () => void {
  unsent.add(send)
  return () => unsent.delete(send)
}

export async function signOut(): Promise<void> {
  await Promise.all([...unsent].map(send => send()))
  if (currentCaller().kind === 'user') {
    // What cannot be ended is forgotten all the same: the session may have ended already, or the server is away.
    await ask(EndSessionDocument, {}).catch(() => null)
    await fetch('/idp/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(() => null)
  }
  forgetDrafts()
  forgetCaller()
}
