// Invitations by their one-time address: reads one, and accepts it with a new account or an existing one.

import { chooseOrganization, signInAs } from '../../session/caller.ts'
import { answerOf, memberOf, textIn } from '../../session/sign-in.ts'

export interface OpenClaim {
  organizationName: string
  role: string
  /** Only this address can accept the invitation; null when any address can. */
  email: string | null
}

export interface ClaimInput {
  action: 'sign_up' | 'sign_in'
  email: string
  password: string
  name?: string
}

const addressOf = (token: string) => `/claim/${encodeURIComponent(token)}`

/** Throws SignInRefused when the invitation is used, replaced or too old. */
export async function readClaim(token: string): Promise<OpenClaim> {
  const answer = await answerOf(await fetch(addressOf(token), { headers: { accept: 'application/json' } }))
  const organization: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'organization') : null
  return { organizationName: textIn(organization, 'name'), role: textIn(answer, 'role'), email: memberOf(answer, 'email') }
}

/**
 * Joins the organization, and opens a session there. Resolves with false when a new account has to verify its address first, and also when an
 * account with this address exists. The invitation then stays open, to be accepted after signing in.
 */
export async function acceptClaim(token: string, input: ClaimInput): Promise<boolean> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const response = await fetch(addressOf(token), { method: 'POST', headers, body: JSON.stringify(input) })
  const answer = await answerOf(response)
  if (response.status === 202) return false
  signInAs({ token: textIn(answer, 'session_token'), userId: textIn(answer, 'user_id') })
  const organization: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'organization') : null
  chooseOrganization(textIn(organization, 'id'))
  return true
}
