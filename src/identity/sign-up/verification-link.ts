// Where an account works once its address is verified, the link that verifies it also signs in. The browser that signed up is known by a cookie;
// any other is asked for the password, because the account can be somebody else's, who chose a password for it.

import { verifyJWT } from 'better-auth/crypto'
import { z } from 'zod'
import type { Services } from '../../kernel/context.ts'
import { parseForm } from '../../kernel/input/body.ts'
import { verificationPage } from '../pages/other-browser.ts'
import { basePath } from '../provider/address.ts'
import { asLinkRequest } from '../provider/browser.ts'
import { countOne } from '../provider/counted.ts'
import { providerRequest } from '../provider/request.ts'
import { isOfSignUp, verifiesFirst, withSignUpCookie } from './new-account.ts'

const signUpPath = `${basePath}/sign-up/email`
const verifyPath = `${basePath}/verify-email`

interface Provider {
  services: Services
  handle(request: Request): Promise<Response>
  /** The address of who is signed in. */
  emailOfSession(headers: Headers): Promise<string | null>
  verifyPassword(stored: { hash: string; password: string }): Promise<boolean>
}

/** Handles a sign-up, whose answer gets the cookie, the link that verifies an address, and the form of its question. */
export async function handleVerification(request: Request, provider: Provider): Promise<Response> {
  const { services, handle, emailOfSession } = provider
  const { config } = services
  const { pathname, searchParams } = new URL(request.url)
  const { method, headers } = request
  if (!verifiesFirst(config)) return handle(request)
  if (pathname === signUpPath) return withSignUpCookie(await handle(request), config)
  if (pathname !== verifyPath || !(method === 'GET' || method === 'POST')) return handle(request)

  const user = await unverifiedUser(services, searchParams.get('token') ?? '')
  if (!user) return handle(asLinkRequest(request))
  const { id, email } = user
  const current = await emailOfSession(headers)
  if (method === 'POST') {
    const form = parseForm(await request.text())
    // Without the password, the update that verifies the address ends what the sign-up chose: see store.ts.
    if (form.get('way') !== 'password') return handle(asLinkRequest(request))
    const problem = await problemOfPassword(provider, user, form.get('password') ?? '')
    if (problem) return verificationPage({ email, current, problem }, config.FRONTEND_ORIGIN)
    return samePerson(id, () => handle(asLinkRequest(request)))
  }
  if (current === email) return handle(request)
  if (current === null && isOfSignUp(headers, config, id)) return samePerson(id, () => handle(request))
  return verificationPage({ email, current }, config.FRONTEND_ORIGIN)
}

/** The choices of the sign-up stay: see store.ts. */
function samePerson(id: string, handle: () => Promise<Response>): Promise<Response> {
  const current = providerRequest()
  if (current) current.samePersonId = id
  return handle()
}

interface User {
  id: string
  email: string
}

const content = z.object({ email: z.email(), updateTo: z.undefined().optional() })

/** The user whose address a link verifies; null for one that is verified, and for a link that is too old or none of ours. */
async function unverifiedUser({ config, database }: Services, token: string): Promise<User | null> {
  const { data } = content.safeParse(await verifyJWT(token, config.IDENTITY_SECRET ?? ''))
  if (!data) return null
  const email = data.email.toLowerCase()
  return database.prisma.idpUser.findFirst({ where: { email, emailVerified: false }, select: { id: true, email: true } })
}

async function problemOfPassword({ services, verifyPassword }: Provider, { id, email }: User, password: string): Promise<string | null> {
  const waitSeconds = services.config.RATE_LIMIT ? await countOne(services, { what: 'password', who: email }) : null
  if (waitSeconds !== null) return `Too many passwords were tried. Try again in ${waitSeconds} seconds, or go on without it.`
  const where = { userId: id, providerId: 'credential' }
  const account = await services.database.prisma.idpAccount.findFirst({ where, select: { password: true } })
  const isRight = account?.password ? await verifyPassword({ hash: account.password, password }) : false
  return isRight ? null : 'This is not the password that was chosen at the sign-up.'
}
