// Signing out: ends the session, and the identity cookie that could open another one. All tabs follow.

import { ask } from '../data/ask.ts'
import { EndSessionDocument } from '../generated/documents/session.ts'
import { forgetAwayPage } from './away-page.ts'
import { currentCaller, forgetCaller } from './caller.ts'
import { forgetDrafts } from './drafts.ts'

const unsent = new Set<() => Promise<unknown>>()

/** Registers `send`, which writes unsent changes of a screen before the session ends. Returns a function that removes it. */
export function beforeSignOut(send: () => Promise<unknown>): () => void {
  unsent.add(send)
  return () => unsent.delete(send)
}

export async function signOut(): Promise<void> {
  await Promise.all([...unsent].map(send => send()))
  if (currentCaller().kind === 'user') {
    // The browser forgets the session in any case: it may have ended already, or the server is away.
    await ask(EndSessionDocument, {}).catch(() => null)
    await fetch('/idp/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(() => null)
  }
  await forgetAwayPage()
  forgetDrafts()
  forgetCaller()
}
