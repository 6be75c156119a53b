// Chooses the organization of a person who has just signed in, while the app is loading.

import { ask } from '../data/ask.ts'
import { MeDocument } from '../generated/documents/session.ts'
import type { MeQuery } from '../generated/operations.ts'
import { chooseOrganization, currentCaller, currentOrganizationId } from './caller.ts'

type Organizations = MeQuery['me']['organizations']

/** The organizations of the present caller. */
export const organizationsOfCaller = (): Promise<Organizations> => ask(MeDocument, {}).then(({ me }) => me.organizations)

/** Chooses the first organization when the browser has none. The frame handles a failure, and a user without organizations. */
export async function chooseOrganizationEarly(): Promise<void> {
  const caller = currentCaller()
  if (caller.kind !== 'user' || currentOrganizationId() !== null) return
  const [first] = await organizationsOfCaller().catch(() => [])
  if (first && currentCaller() === caller && currentOrganizationId() === null) chooseOrganization(first.id)
}
