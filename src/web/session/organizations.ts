// The organization of who has just signed in, chosen while the app is loaded.

import { ask } from '../data/ask.ts'
import { MeDocument } from '../generated/documents/session.ts'
import type { MeQuery } from '../generated/operations.ts'
import { chooseOrganization, currentCaller, currentOrganizationId } from './caller.ts'

type Organizations = MeQuery['me']['organizations']

/** The organizations of who uses this browser. */
export const organizationsOfCaller = (): Promise<Organizations> => ask(MeDocument, {}).then(({ me }) => me.organizations)

/** Asks where no organization is chosen in this browser, and chooses the first. Who has none, and a failure, are left to the frame. */
export async function chooseOrganizationEarly(): Promise<void> {
  const caller = currentCaller()
  if (caller.kind !== 'user' || currentOrganizationId() !== null) return
  const [first] = await organizationsOfCaller().catch(() => [])
  if (first && currentCaller() === caller && currentOrganizationId() === null) chooseOrganization(first.id)
}
