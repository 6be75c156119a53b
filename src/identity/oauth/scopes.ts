// The scopes that OAuth clients may ask for: those that tools of /mcp need.

import { type Scope, scopes } from '../../kernel/principal.ts'

const withoutTools: ReadonlySet<Scope> = new Set<Scope>(['agents:write', 'webhooks:manage'])

export const offeredScopes: readonly Scope[] = scopes.filter(scope => !withoutTools.has(scope))

/**
 * The offered scopes that a client asks for, in our order. Scopes of other servers, such as `openid`, are left out. Without any, the reading
 * scopes: a client that says nothing gets no scope that writes.
 */
export function scopesAskedFor(scope: string | null | undefined): readonly Scope[] {
  const named = new Set((scope ?? '').split(' '))
  const asked = offeredScopes.filter(offered => named.has(offered))
  return asked.length > 0 ? asked : offeredScopes.filter(offered => offered.endsWith(':read'))
}
