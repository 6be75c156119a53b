// A person with an organization of their own, signed in through the service.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Person {
  email: string
  session: string
}

export interface Answer {
  status: number
  body: Record<string, unknown>
}

/** Sends one request. A text is a file of CSV. */
export async function ask(
  url: string,
  path: string,
  { body, token, key }: { body?: object | string; token?: string; key?: string } = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      origin: url,
      'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text } }
}

/** Signs up, and opens a session. Throws where the server opens none. */
export async function signUp(url: string): Promise<Person> {
  const email = `${randomUUID()}@crash.example`
  const { body: signedUp } = await ask(url, '/idp/sign-up/email', { body: { email, password: randomUUID(), name: 'Person' } })
  const { body: identity } = await ask(url, '/idp/token', { token: String(signedUp.token) })
  const { body: opened } = await ask(url, '/api/auth/session', { body: {}, token: String(identity.token) })
  if (!opened.session_token) throw new Error(`no session: ${JSON.stringify([signedUp, identity, opened])}`)
  return { email, session: String(opened.session_token) }
}

/** Repeats a request, with its key, until it is answered. Throws where it never is. */
export async function untilAnswered(name: string, isAnswered: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++, await sleep(100)) if (await isAnswered()) return
  throw new Error(`${name} is still not answered`)
}
