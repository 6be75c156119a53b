// Signing up where mail can be sent: an account works once its address is verified, so that the answer to a sign-up does not tell whether the
// address had one. Without mail nobody could verify an address, and an account works at once.

import { createHmac } from 'node:crypto'
import { APIError } from 'better-auth/api'
import { z } from 'zod'
import type { Config } from '../../config/environment.ts'
import type { Services } from '../../kernel/context.ts'
import { openInvitation } from '../invitations/invitation.ts'
import { basePath, baseUrl, invitationHeader } from '../provider/address.ts'
import { deleteUnused, selectUnused } from '../provider/provider.sql.ts'

/** Whether the address of a new account has to be verified before the account works. */
export const verifiesFirst = ({ MAIL_LINKS, SMTP_URL }: Config): boolean => MAIL_LINKS && SMTP_URL !== undefined

/** A link that verifies an address is valid for a day. */
export const verificationSeconds = 86_400

/** Whether the request came by an invitation that was mailed to this address, which proves as much as the link of another mail. */
export async function isInvitedByMail(services: Services, headers: Headers | undefined | null, email: string): Promise<boolean> {
  const token = headers?.get(invitationHeader)
  return token ? (await openInvitation(services, token))?.email === email.toLowerCase() : false
}

/**
 * Throws the library's error for a wrong password when the user's account does not work yet. Accounts that are in use do: they are older than
 * SMTP_URL, or joined by a one-use address.
 */
export async function requireUsable(services: Services, userId: string, headers: Headers | undefined): Promise<void> {
  if (!verifiesFirst(services.config)) return
  const [unused] = await services.database.query(selectUnused, [userId])
  if (!unused || (await isInvitedByMail(services, headers, unused.email))) return
  // The library's own, to the order of its members.
  throw new APIError('UNAUTHORIZED', { message: 'Invalid email or password', code: 'INVALID_EMAIL_OR_PASSWORD' })
}

/**
 * Deletes the account with this address that nobody has used or verified, so that a person who signs up again is sent another link. The
 * links of the earlier mails leave no password: see `isOfSignUp`.
 */
export async function makeRoom({ config, database, now }: Services, email: string): Promise<void> {
  const minuteAgo = new Date(now().getTime() - 60_000).toISOString()
  if (verifiesFirst(config)) await database.query(deleteUnused, [email.toLowerCase(), minuteAgo])
}

/**
 * Whether the owner of an address with an account gets a mail about a sign-up with this address. Not if another request has just made the
 * account: that request sends its own mail.
 */
export async function isTold(services: Services, user: { id: string; email: string }, headers: Headers | undefined): Promise<boolean> {
  const [unused] = await services.database.query(selectUnused, [user.id])
  return !unused && !(await isInvitedByMail(services, headers, user.email))
}

const cookie = 'rcm.signed-up'
// Not the id itself, which other users may learn.
const proofOf = ({ IDENTITY_SECRET = '' }: Config, userId: string) =>
  createHmac('sha256', IDENTITY_SECRET).update(`signed up ${userId}`).digest('base64url')

const answer = z.object({ user: z.object({ id: z.string() }) })

/**
 * Gives the browser that signs up a cookie that belongs to the new account, by which the link in the mail knows the browser again. An address
 * that had an account is answered with an invented id, and a cookie that belongs to nothing.
 */
export async function withSignUpCookie(response: Response, config: Config): Promise<Response> {
  const { data } = answer.safeParse(response.ok ? await response.clone().json() : null)
  if (!data) return response
  const secure = baseUrl(config).startsWith('https:') ? '; Secure' : ''
  const headers = new Headers(response.headers)
  const value = proofOf(config, data.user.id)
  headers.append('set-cookie', `${cookie}=${value}; Path=${basePath}; Max-Age=${verificationSeconds}; HttpOnly; SameSite=Lax${secure}`)
  return new Response(response.body, { status: response.status, headers })
}

/** Whether the request comes from the browser that signed up with this account. */
export const isOfSignUp = (headers: Headers, config: Config, userId: string) =>
  (headers.get('cookie') ?? '').split(/;\s*/).includes(`${cookie}=${proofOf(config, userId)}`)
