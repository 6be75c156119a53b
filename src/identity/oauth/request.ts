// The request of an OAuth client to a person. It is checked before the person sees it, and again when the person agrees.

import type { OauthClient } from '../../generated/prisma/client.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { cutText } from '../../kernel/input/cut.ts'
import { Invalid, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { type Scope, withinRole } from '../../kernel/principal.ts'
import { withParameters } from '../applications/redirect.ts'
import { challengeProblems } from '../applications/request.ts'
import { issuerOf, resourceOf } from './address.ts'
import { findClient } from './client.ts'
import { isRegistered, registrable } from './redirect.ts'
import { scopesAskedFor } from './scopes.ts'

/** The parameters of RFC 6749 (4.1.1), RFC 7636 and RFC 8707. */
export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  responseType?: string | null
  codeChallenge?: string | null
  codeChallengeMethod?: string | null
  scope?: string | null
  resource?: string | null
  state?: string | null
}

export interface CheckedAuthorization {
  client: OauthClient
  /** Where the answer goes, as people read it. */
  redirectsTo: string
  scopes: readonly Scope[]
  resource: string
  codeChallenge: string
  /** Where the browser goes when the person refuses. */
  deniedTo: string
}

const maxState = 2000

/**
 * Throws INVALID with everything that is wrong. Nobody is sent back to the client with an error, as RFC 6749 has it: anyone can register a
 * client, and this server would send people to any address (RFC 9700, 4.11.2).
 */
export async function checkAuthorization(context: Context, request: AuthorizationRequest): Promise<CheckedAuthorization> {
  const { services } = context
  const { redirectUri, responseType, scope, state } = request
  const client = await findClient(context, request.clientId)
  if (!client) throw invalid(valueError('clientId', 'no client is registered with it; register again', cutText(request.clientId, 100)))
  const redirect = registrable(redirectUri)
  const resource = resourceOf(services.config)
  const problems: Problem[] = [
    ...(redirect instanceof Invalid || !isRegistered(redirectUri, client.redirectUris)
      ? [valueError('redirectUri', 'the client has not registered it', cutText(redirectUri, 200))]
      : []),
    ...(responseType === 'code' ? [] : [problem('responseType', 'literal_error', responseType, { expected: "'code'" })]),
    ...challengeProblems(request.codeChallenge ?? '', request.codeChallengeMethod ?? 'none'),
    // A client that names none can only mean the one that there is.
    ...(!request.resource || isResource(request.resource, resource)
      ? []
      : [problem('resource', 'literal_error', request.resource, { expected: `'${resource}'` })]),
    ...(state != null && state.length > maxState ? [problem('state', 'string_too_long', undefined, { max_length: maxState })] : []),
  ]
  if (problems.length > 0 || redirect instanceof Invalid) throw invalid(problems)
  const refusal = { error: 'access_denied', error_description: 'The person has refused', state, iss: issuerOf(services.config) }
  return {
    ...{ client, redirectsTo: redirect.shown, scopes: scopesAskedFor(scope), resource },
    ...{ codeChallenge: request.codeChallenge ?? '', deniedTo: withParameters(redirectUri, refusal) },
  }
}

/** Whether a `resource` parameter names the resource, with or without a slash at its end. */
export const isResource = (given: string, resource: string): boolean =>
  URL.parse(given)?.href.replace(/\/$/, '') === new URL(resource).href.replace(/\/$/, '')

/** The scopes that the caller may give away in the organization of the request. For a stranger, who has to sign in: all. */
export function scopesToGive({ principal, requestedOrgId }: Context, scopes: readonly Scope[]): readonly Scope[] {
  if (principal.kind !== 'session') return scopes
  const role = (requestedOrgId === null ? null : principal.roles[requestedOrgId]) ?? principal.role
  // `as`: the role takes scopes away, and adds none.
  return role === null ? [] : (withinRole(scopes, role) as readonly Scope[])
}
