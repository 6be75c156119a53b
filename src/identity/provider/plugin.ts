// A better-auth plugin: refuses uninvited sign-ups, limits password attempts per account, ends a user's other sessions, and serves the page for new passwords.

import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api'
import { z } from 'zod'
import type { Services } from '../../kernel/context.ts'
import type { NetworkLimit } from '../../kernel/limits/limits.ts'
import { mayBecomeUser, notInvited } from '../invitations/invitation.ts'
import { maxPasswordLength, minPasswordLength, passwordPage } from '../pages/password.ts'
import { endAllSignIns, endOtherSignIns } from '../sessions/sign-out.ts'
import { makeRoom } from '../sign-up/new-account.ts'
import { invitationHeader } from './address.ts'
import { countMail, countOne, forgetCount } from './counted.ts'
import { addressHeader } from './web-handler.ts'

/** A session of the provider with its user. */
interface SignIn {
  session: { id: string }
  user: { id: string; email?: string }
}

export const signInPath = '/sign-in/email'
export const signUpPath = '/sign-up/email'
// Endpoints that send a mail to the address in the body.
const mailedPaths = new Set(['/sign-in/magic-link', '/send-verification-email', '/request-password-reset', signUpPath])
const revokeOthersPath = '/revoke-other-sessions'
const revokeAllPath = '/revoke-sessions'
const changePasswordPath = '/change-password'

/** The functions of the library that the plugin calls. */
export interface Library {
  /** The session of a request. */
  getSession(asked: { headers: Headers }): Promise<SignIn | null>
  resetPassword(asked: { body: { token: string; newPassword: string } }): Promise<unknown>
}

// Null for what the library will refuse, which is not counted.
function addressIn(body: unknown): string | null {
  const { email } = (body ?? {}) as { email?: unknown }
  return typeof email === 'string' && z.email().safeParse(email.trim()).success ? email : null
}

// The same, for a sign-up.
function newAddressIn(body: unknown): string | null {
  const { password } = (body ?? {}) as { password?: unknown }
  return typeof password === 'string' && password.length >= minPasswordLength && password.length <= maxPasswordLength
    ? addressIn(body)
    : null
}

/** Throws the library's error for who is not allowed to sign up. */
export async function requireInvited(services: Services, headers: Headers | null): Promise<void> {
  if (!(await mayBecomeUser(services, headers?.get(invitationHeader) ?? null)))
    throw new APIError('FORBIDDEN', { code: 'SIGN_UP_CLOSED', message: notInvited(services) })
}

const newUsers: NetworkLimit = { max: config => config.SIGN_UPS_PER_HOUR, seconds: 3600 }

/** Counts a new user, or an attempt to become one. Throws the library's error when the network has had too many. */
export function requireFewNewUsers({ config, networkLimits }: Services, headers: Headers | null): void {
  const retryAfter = networkLimits.count(newUsers, headers?.get(addressHeader) ?? undefined)
  if (retryAfter === null) return
  const message = `More than ${config.SIGN_UPS_PER_HOUR} new users from this address within an hour; try again later`
  throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_SIGN_UPS', message }, { 'X-Retry-After': String(retryAfter) })
}

export function providerPlugin(services: Services, library: () => Library) {
  // Before the library looks for the address: who may not sign up is not told either that it has an account.
  const requireInvitation = createAuthMiddleware(ctx => requireInvited(services, ctx.headers ?? null))
  // Also an address that has an account, for the limit would tell otherwise.
  const countSignUp = createAuthMiddleware(async ctx => {
    if (newAddressIn(ctx.body) !== null) requireFewNewUsers(services, ctx.headers ?? null)
  })
  const makeRoomFirst = createAuthMiddleware(async ctx => {
    const email = newAddressIn(ctx.body)
    if (email !== null) await makeRoom(services, email)
  })
  // A signed-in user must also give the password to change it: a stolen session must not be worth more than an address.
  const emailOfSession = async (headers: Headers | undefined) => (headers && (await library().getSession({ headers })))?.user.email ?? null
  const throttle = createAuthMiddleware(async ctx => {
    const email = ctx.path === signInPath ? addressIn(ctx.body) : await emailOfSession(ctx.headers)
    const waitSeconds = email === null || !services.config.RATE_LIMIT ? null : await countOne(services, { what: 'password', who: email })
    if (waitSeconds === null) return
    const message = `Too many passwords were tried for this account. Try again in ${waitSeconds} seconds, sign in with a link by email, or reset the password.`
    throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_ATTEMPTS', message }, { 'X-Retry-After': String(waitSeconds) })
  })
  const begin = createAuthMiddleware(async ctx => {
    const email = ctx.context.newSession?.user.email
    if (email && services.config.RATE_LIMIT) await forgetCount(services, { what: 'password', who: email })
  })
  const mailed = createAuthMiddleware(async ctx => {
    const email = addressIn(ctx.body)
    const waitSeconds = email === null || !services.config.RATE_LIMIT ? null : await countMail(services, email)
    if (waitSeconds === null) return
    const message = `Too many mails were asked for to this address. Look for those that were sent, or try again in ${Math.ceil(waitSeconds / 60)} minutes.`
    throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_MAILS', message }, { 'X-Retry-After': String(waitSeconds) })
  })
  // The library's own endpoint compares tokens, but the database has only their hashes.
  const revokeOthers = createAuthMiddleware(async ctx => {
    const signIn = ctx.headers && (await library().getSession({ headers: ctx.headers }))
    if (!signIn) return
    await endOtherSignIns(services, signIn.user.id, signIn.session.id)
    return ctx.json({ status: true })
  })
  const revokeAll = createAuthMiddleware(async ctx => {
    const signIn = ctx.headers && (await library().getSession({ headers: ctx.headers }))
    if (!signIn) return
    await services.database.transaction(tx => endAllSignIns(services, tx, signIn.user.id))
    return ctx.json({ status: true })
  })
  // With `revokeOtherSessions` the library has ended all sessions and begun one. The credentials that they gave out end with them.
  const changedPassword = createAuthMiddleware(async ctx => {
    const { newSession, returned } = ctx.context
    const changed = isAPIError(returned) ? null : (newSession?.user.email ?? (await emailOfSession(ctx.headers)))
    if (changed !== null && services.config.RATE_LIMIT) await forgetCount(services, { what: 'password', who: changed })
    if (newSession && ctx.body?.revokeOtherSessions === true) await endOtherSignIns(services, newSession.user.id, newSession.session.id)
  })
  return {
    id: 'rolocom',
    endpoints: passwordPage(body => library().resetPassword({ body })),
    hooks: {
      before: [
        { matcher: ({ path }) => path === signInPath || path === changePasswordPath, handler: throttle },
        { matcher: ({ path }) => path === signUpPath, handler: requireInvitation },
        { matcher: ({ path }) => path === signUpPath, handler: countSignUp },
        { matcher: ({ path }) => mailedPaths.has(path ?? ''), handler: mailed },
        { matcher: ({ path }) => path === signUpPath, handler: makeRoomFirst },
        { matcher: ({ path }) => path === revokeOthersPath, handler: revokeOthers },
        { matcher: ({ path }) => path === revokeAllPath, handler: revokeAll },
      ],
      after: [
        { matcher: ({ path }) => path === signInPath, handler: begin },
        { matcher: ({ path }) => path === changePasswordPath, handler: changedPassword },
      ],
    },
  } satisfies BetterAuthPlugin
}
