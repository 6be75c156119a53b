// The member whose inbox a caller reads: the signed-in one, or the one who made the API key or agreed to the OAuth client.

import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Principal } from '../../kernel/principal.ts'

/** The member for whom the caller acts; null for guests, hooks, agents and the server itself. */
export const personIn = (principal: Principal): string | null =>
  principal.kind === 'session' || principal.kind === 'api_key' || principal.kind === 'access_token' ? principal.userId : null

/** The member for whom the caller acts. Throws FORBIDDEN. */
export function personOf({ principal }: Context): string {
  const userId = personIn(principal)
  if (userId === null) throw new AppError('FORBIDDEN', 'An inbox belongs to a member: sign in, or use an API key of a member')
  return userId
}
