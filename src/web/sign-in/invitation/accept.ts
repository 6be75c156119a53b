// Invitations by their one-use address: what it offers, and accepting it with an account, new or not.

import { chooseOrganization, signInAs } from '../../session/caller.ts'
import { answerOf, memberOf, textIn } from '../../session/sign-in.ts'

export interface OpenClaim {
  organizationName: string
  role: string
  /** The only address that can accept it; null where any can. */
  email: string | null
}

export interface ClaimInput {
  action: 'sign_up' | 'sign_in'
  email: string
  password: string
  name?: string
}

const addressOf = (token: string) => `/claim/${encodeURIComponent(token)}`

/** Throws SignInRefused where it is used, replaced or too old. */
export async function readClaim(token: string): Promise<OpenClaim> {
  const answer = await answerOf(await fetch(addressOf(token), { headers: { accept: 'application/json' } }))
  const organization: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'organization') : null
  return { organizationName: textIn(organization, 'name'), role: textIn(answer, 'role'), email: memberOf(answer, 'email') }
}

/**
 * Joins the organization, and opens a session there. Resolves with false for a new account whose address has to be verified first, and as well
 * where there is an account with this address: the invitation stays open, to be accepted by signing in.
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
