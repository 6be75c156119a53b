// Signing in and up: the identity provider at /idp issues a JWT, and POST /api/auth/session exchanges it for a session.

import { signInAs } from './caller.ts'

/** A refusal by the identity provider: its code, its sentence, and the seconds to wait if it asks for a wait. */
export class SignInRefused extends Error {
  readonly code: string
  readonly retryAfter: number | null

  constructor(message: string, code: string, retryAfter: number | null) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
  }
}

export async function signInWithPassword(input: { email: string; password: string }): Promise<void> {
  await idp('/idp/sign-in/email', input)
  await openSession()
}

/**
 * Resolves with true when the new user is signed in. Otherwise the address has to be verified by a link, which leads to `callbackURL`. The
 * answer is the same when an account has this address.
 */
export async function signUpWithPassword(input: NewAccount): Promise<boolean> {
  const answer = await idp('/idp/sign-up/email', input)
  if (memberOf(answer, 'token') === null) return false
  await openSession()
  return true
}

interface NewAccount {
  email: string
  password: string
  name: string
  callbackURL: string
}

/** Sends the verification link of a new account again. */
export async function sendVerification(input: { email: string; callbackURL: string }): Promise<void> {
  await idp('/idp/send-verification-email', input)
}

/** Sends a link by mail. It signs the browser in by a cookie, and leads to `/sign-in/finish`. */
export async function sendMagicLink(input: { email: string; callbackURL: string }): Promise<void> {
  await idp('/idp/sign-in/magic-link', input)
}

export async function requestPasswordReset(input: { email: string; redirectTo: string }): Promise<void> {
  await idp('/idp/request-password-reset', input)
}

export async function resetPassword(input: { newPassword: string; token: string }): Promise<void> {
  await idp('/idp/reset-password', input)
}

/** The address of Google's page. */
export async function googleAddress(callbackURL: string): Promise<string> {
  const answer = await idp('/idp/sign-in/social', { provider: 'google', callbackURL })
  return textIn(answer, 'url')
}

/** The user in the identity cookie. `jwt` opens a session. */
export interface Identity {
  jwt: string
  userId: string | null
  email: string | null
}

/** Throws SignInRefused when there is no cookie. */
export async function identityHere(): Promise<Identity> {
  const jwt = textIn(await answerOf(await fetch('/idp/token')), 'token')
  const claims = claimsOf(jwt)
  return { jwt, userId: memberOf(claims, 'sub'), email: memberOf(claims, 'email') }
}

// Reads the name only for display; the server verifies the token.
function claimsOf(jwt: string): unknown {
  try {
    const text = atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, letter => letter.charCodeAt(0))))
  } catch {
    return null
  }
}

/** Opens a session for the user in the identity cookie, after a password, a magic link or Google. Throws SignInRefused without a cookie. */
export async function openSession(identity?: Identity): Promise<void> {
  const { jwt } = identity ?? (await identityHere())
  const headers = { authorization: `Bearer ${jwt}` }
  const session = await answerOf(await fetch('/api/auth/session', { method: 'POST', headers }))
  signInAs({ token: textIn(session, 'session_token'), userId: textIn(session, 'user_id') })
}

async function idp(address: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return answerOf(await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) }))
}

export async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null)
  if (response.ok) return body
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  const sentence = memberOf(body, 'message') ?? memberOf(body, 'detail') ?? `The server answered ${response.status}`
  throw new SignInRefused(sentence, memberOf(body, 'code') ?? String(response.status), Number.isFinite(wait) ? wait : null)
}

export function textIn(body: unknown, name: string): string {
  const value = memberOf(body, name)
  if (value === null) throw new SignInRefused('The answer of the server is not what this page expects. Load it again.', 'UNEXPECTED', null)
  return value
}

export function memberOf(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null) return null
  const value: unknown = Reflect.get(body, name)
  return typeof value === 'string' ? value : null
}
