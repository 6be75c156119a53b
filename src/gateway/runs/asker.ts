// The member who asked for a run. It ends with the member's right to ask for one, as imports and downloads end with the rights of who began
// them: a run may take a day, and sends what it has read to where the member said.

import { mayStill } from '../../identity/authentication/still-allowed.ts'
import type { Context } from '../../kernel/context.ts'
import type { Run } from './row.ts'

/** The member has left, or has become a viewer. The message is shown with the run. */
export class NotAllowedAnyMore extends Error {}

/** The error for a run whose member may no longer ask for runs; null otherwise. Runs of hooks and heartbeats have no such member. */
export async function refusalOfAsker(
  context: Context,
  { orgId, askedById }: Pick<Run, 'orgId' | 'askedById'>,
): Promise<NotAllowedAnyMore | null> {
  // Viewers, who may not ask for runs, lack this scope.
  const isAllowed = askedById === null || (await mayStill(context, { type: 'user', id: askedById, name: null }, orgId, 'contacts:write'))
  return isAllowed ? null : new NotAllowedAnyMore('the member who asked for it has left the organization, or may only read there now')
}
