// Links from mails sign in the browser that asked for them. In any other browser, and in one where somebody else is signed in, a page asks
// first: otherwise a link to somebody else's account would replace the visitor's session.

import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../../config/environment.ts'
import { parseJson } from '../../kernel/input/json-text.ts'
import { otherBrowserPage } from '../pages/other-browser.ts'
import { basePath, baseUrl } from './address.ts'

const path = `${basePath}/magic-link/verify`
const cookie = 'rcm.asked'
/** The parameter of a link with the hash of the cookie. */
const parameter = 'browser'
// As long as the link works.
const maxAgeSeconds = 300

/** The functions of the library's endpoint that are used here. */
interface CookieJar {
  getCookie(name: string): string | null | undefined
  setCookie(name: string, value: string, options: object): unknown
}

/** Gives the browser that asks a cookie, and resolves with the link that goes with it. */
export function boundTo(cookies: CookieJar | undefined, link: string, config: Config): string {
  if (!cookies) return link
  const known = cookies.getCookie(cookie)
  // The same for several links, so that each of them works.
  const nonce = known && /^[\w-]{22,64}$/.test(known) ? known : randomBytes(16).toString('base64url')
  const secure = baseUrl(config).startsWith('https:')
  cookies.setCookie(cookie, nonce, { httpOnly: true, secure, sameSite: 'lax', path: basePath, maxAge: maxAgeSeconds })
  const url = new URL(link)
  url.searchParams.set(parameter, hashOf(nonce))
  return url.href
}

interface Provider {
  config: Config
  handle(request: Request): Promise<Response>
  /** The address of who is signed in. */
  emailOfSession(headers: Headers): Promise<string | null>
  /** The stored link; null for one that is used or unknown. */
  findStored(identifier: string): Promise<string | null>
}

const record = z.object({ email: z.string() })

/** Handles a request; a link that needs it is answered with the question, and its form with what the link does. */
export async function handleLinks(request: Request, { config, handle, emailOfSession, findStored }: Provider): Promise<Response> {
  const url = new URL(request.url)
  if (url.pathname !== path) return handle(request)
  const { headers } = request
  if (request.method === 'POST') return handle(asLinkRequest(request))
  if (request.method !== 'GET') return handle(request)
  // As the library stores it: a hash of the token.
  const text = await findStored(`magic-link:${hashOf(url.searchParams.get('token') ?? '')}`)
  const { data } = record.safeParse(text === null ? null : parseJson(text))
  if (!data) return handle(request)
  const email = data.email.toLowerCase()
  const current = await emailOfSession(headers)
  const nonce = cookieIn(headers)
  const isAsker = nonce !== null && hashOf(nonce) === url.searchParams.get(parameter)
  if (isAsker && (current === null || current === email)) return handle(request)
  return otherBrowserPage({ email, current }, config.FRONTEND_ORIGIN)
}

/** Turns the request of the question's form into the request of the link itself. */
export function asLinkRequest({ url, headers }: Request): Request {
  const asked = new Headers(headers)
  for (const name of ['content-type', 'content-length']) asked.delete(name)
  return new Request(url, { headers: asked })
}

function cookieIn(headers: Headers): string | null {
  const found = (headers.get('cookie') ?? '').split(/;\s*/).find(part => part.startsWith(`${cookie}=`))
  return found === undefined ? null : decodeURIComponent(found.slice(cookie.length + 1))
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')
