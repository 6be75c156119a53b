// What the platform adds to the identity provider's endpoints: a limit of passwords per account, and ending all sessions but one, a page.

import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import type { Services } from '../context.ts'
import { passwordPage } from './password-page.ts'
import { endOtherSignIns } from './revocation.ts'
import { attemptSignIn, signedIn } from './sign-in-throttle.ts'

/** A session of the provider's, with its user. */
export interface SignIn {
  session: { id: string }
  user: { id: string }
}

const signInPath = '/sign-in/email'
const revokeOthersPath = '/revoke-other-sessions'

/** What the plugin asks of the library that it is a part of. */
export interface Library {
  /** The session that a request comes with. */
  getSession(asked: { headers: Headers }): Promise<SignIn | null>
  resetPassword(asked: { body: { token: string; newPassword: string } }): Promise<unknown>
}

export function providerPlugin(services: Services, library: () => Library) {
  const throttle = createAuthMiddleware(async ctx => {
    const email: unknown = ctx.body?.email
    if (typeof email !== 'string' || !services.config.RATE_LIMIT) return
    const waitSeconds = await attemptSignIn(services, email)
    if (waitSeconds === null) return
    const message = `Too many passwords were tried for this account. Try again in ${waitSeconds} seconds, sign in with a link by e-mail, or reset the password.`
    throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_ATTEMPTS', message }, { 'X-Retry-After': String(waitSeconds) })
  })
  const begin = createAuthMiddleware(async ctx => {
    const email = ctx.context.newSession?.user.email
    if (email && services.config.RATE_LIMIT) await signedIn(services, email)
  })
  // The library goes by tokens, which are known by their hashes alone.
  const revokeOthers = createAuthMiddleware(async ctx => {
    const signIn = ctx.headers && (await library().getSession({ headers: ctx.headers }))
    if (!signIn) return
    await endOtherSignIns(services, signIn.user.id, signIn.session.id)
    return ctx.json({ status: true })
  })
  return {
    id: 'rolocom',
    endpoints: passwordPage(body => library().resetPassword({ body })),
    hooks: {
      before: [
        { matcher: ({ path }) => path === signInPath, handler: throttle },
        { matcher: ({ path }) => path === revokeOthersPath, handler: revokeOthers },
      ],
      after: [{ matcher: ({ path }) => path === signInPath, handler: begin }],
    },
  } satisfies BetterAuthPlugin
}
