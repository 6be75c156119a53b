// The organizations of who has just signed in, asked for while the app is loaded.

import { ask } from '../data/ask.ts'
import { MeDocument } from '../generated/documents/session.ts'
import type { MeQuery } from '../generated/operations.ts'
import { type Caller, currentCaller, currentOrganizationId } from './caller.ts'

type Organizations = MeQuery['me']['organizations']

let early: { caller: Caller; answer: Promise<Organizations> } | null = null

/** Asks where the answer will be needed: no organization is chosen in this browser. */
export function askForOrganizationsEarly(): void {
  const caller = currentCaller()
  if (caller.kind !== 'user' || currentOrganizationId() !== null) return
  const answer = organizationsOfCaller()
  // A failure is for the one who takes the answer.
  answer.catch(() => null)
  early = { caller, answer }
}

/** What was asked for early, once; another time they are asked for again. */
export function organizationsOfCaller(): Promise<Organizations> {
  const taken = early?.caller === currentCaller() ? early.answer : null
  early = null
  return taken ?? ask(MeDocument, {}).then(({ me }) => me.organizations)
}
