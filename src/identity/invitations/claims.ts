// HTTP handlers of /claim/<token>, the one-use address of an invitation: an HTML form for browsers, JSON for other clients.

import { fileURLToPath } from 'node:url'
import { type NextFunction, type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { createContext, type Services } from '../../kernel/context.ts'
import { writeInTime } from '../../kernel/deadlines/deadline.ts'
import { AppError, statusOf } from '../../kernel/errors.ts'
import { parseForm, readBytes } from '../../kernel/input/body.ts'
import { parseJson } from '../../kernel/input/json-text.ts'
import { mediaTypeOf } from '../../kernel/input/media-type.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Authenticator } from '../authentication/authenticate.ts'
import type { Organization } from '../organizations/organization.ts'
import { closedPage, formPage, joinedPage, type Sent, verifiedPage } from '../pages/claim.ts'
import { invitationHeader } from '../provider/address.ts'
import { deleteNewcomer } from '../provider/provider.sql.ts'
import type { IdentityProvider } from '../provider/provider.ts'
import { countRequest } from '../provider/request-limits.ts'
import { addressHeader } from '../provider/web-handler.ts'
import { type CreatedSession, createSession } from '../sessions/session.ts'
import { claimOrganization, notOpen, type OpenInvitation, openInvitation } from './invitation.ts'

// 30: enough for mistyped passwords. Tokens are too long to be guessed at any rate.
const claims = { max: 30, seconds: 60 }

interface Doors {
  services: Services
  authenticator: Authenticator
  identityProvider: IdentityProvider
}

const styles = fileURLToPath(new URL('../pages/public', import.meta.url))
// 4 KiB: four fields of a form.
const maxBytes = 4_096

const body = z.strictObject({
  action: z.enum(['sign_up', 'sign_in']),
  email: z.string().max(255),
  password: z.string().max(1024),
  name: z.string().max(200).optional(),
})
type Body = z.output<typeof body>

export function createClaims(doors: Doors): Router {
  const { services, identityProvider } = doors
  const hasPasswords = identityProvider.ask !== null
  const router = Router()

  // Where the link leads that verifies the address of a new account: without the token, because the mail can go astray.
  router.get('/', (req, res) => void res.type('html').send(verifiedPage(req.query.error === undefined)))
  router.get('/page.css', (_req, res) => res.sendFile('page.css', { root: styles, maxAge: '1h' }))
  // The form's Origin would be "null" with the policy of all other answers.
  router.get('/:token', async (req, res, next) => {
    res.setHeader('Cache-Control', 'no-store').setHeader('Referrer-Policy', 'same-origin')
    await answering(req, res, next, async () => {
      const invitation = await readInvitation(req)
      if (wantsPage(req)) return void res.type('html').send(formPage(invitation, { hasPasswords }))
      const { organizationName, role, email, expiresAt } = invitation
      res.json({ organization: { name: organizationName }, role, email, expires_at: expiresAt })
    })
  })
  router.post('/:token', async (req, res, next) => {
    res.setHeader('Cache-Control', 'no-store').setHeader('Referrer-Policy', 'same-origin')
    const sent: Sent = {}
    await answering(
      req,
      res,
      next,
      async () => {
        const invitation = await readInvitation(req)
        const { organization, session, cookies = [] } = await writeInTime(() => join(doors, req, invitation, sent))
        for (const cookie of cookies) res.append('Set-Cookie', cookie)
        if (!organization) {
          res.status(202)
          return void (wantsPage(req)
            ? res.type('html').send(formPage(invitation, { hasPasswords, sent, notice: checkMail }))
            : res.json({ detail: `${checkMail} Send "action": "sign_in" then.` }))
        }
        const status = session ? 201 : 200
        if (wantsPage(req) && session) {
          const { PUBLIC_URL = '' } = services.config
          return void res
            .status(status)
            .type('html')
            .send(joinedPage({ organization, ...session }, PUBLIC_URL))
        }
        const { sessionToken, userId, expiresAt } = session ?? {}
        res.status(status).json({ organization, ...(session && { session_token: sessionToken, user_id: userId, expires_at: expiresAt }) })
      },
      sent,
    )
  })
  router.all('/:token', (req, res, next) =>
    answering(req, res, next, async () => {
      throw new AppError('METHOD_NOT_ALLOWED', 'This address takes GET and POST')
    }),
  )
  return router

  async function readInvitation(req: Request): Promise<OpenInvitation> {
    const retryAfter = services.networkLimits.count(claims, req.ip)
    if (retryAfter !== null) throw new AppError('RATE_LIMITED', 'Too many attempts from this address', { retryAfter })
    const invitation = await openInvitation(services, tokenOf(req))
    if (!invitation) throw notOpen()
    return invitation
  }

  // Errors in the format that the client accepts. Browsers get the form again when another attempt may succeed.
  async function answering(req: Request, res: Response, next: NextFunction, work: () => Promise<void>, sent?: Sent): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) return next(error)
      const { code, message, extras } = error
      if (typeof extras.retryAfter === 'number') res.setHeader('Retry-After', String(extras.retryAfter))
      if (code === 'METHOD_NOT_ALLOWED') res.setHeader('Allow', 'GET, HEAD, POST')
      res.status(statusOf[code])
      if (!wantsPage(req)) return void res.json({ code: code.toLowerCase(), status: statusOf[code], detail: message, request_id: req.id })
      const invitation = code === 'NOT_FOUND' || !sent ? null : await openInvitation(services, tokenOf(req)).catch(() => null)
      res.type('html').send(invitation ? formPage(invitation, { hasPasswords, sent, problem: message }) : closedPage(message))
    }
  }
}

const tokenOf = (req: Request) => String(req.params.token)
const wantsPage = (req: Request) => req.accepts(['json', 'html']) === 'html'

const checkMail =
  'Check your mail: open the link in it, then come back to this address and sign in with your password. If there is an account with this email address already, the mail says so.'

interface Outcome {
  /** Absent when the address has to be verified first. The invitation stays open. */
  organization?: Organization
  /** Absent when the request already had a session. */
  session?: CreatedSession
  cookies?: string[]
}

async function join(
  { services, authenticator, identityProvider }: Doors,
  req: Request,
  { email: invited }: OpenInvitation,
  sent: Sent,
): Promise<Outcome> {
  const token = tokenOf(req)
  const contextOf = (principal: Principal) =>
    createContext(services, { principal, requestId: req.id, door: 'rest', operation: 'claimOrganization' })

  if (req.headers.authorization) {
    const { headers, ip } = req
    const principal = await authenticator.authenticate({ headers, ip }, ['session', 'identity'])
    if (principal.kind === 'session') return { organization: await claimOrganization(contextOf(principal), token) }
    return withSession(await createSession(contextOf(principal), token))
  }

  const { action, email, password, name } = await bodyOf(req, sent)
  if (invited !== null && email.trim().toLowerCase() !== invited)
    throw new AppError('FORBIDDEN', `The invitation is for ${invited}: sign up or sign in with this address`)
  const { ask, verify } = identityProvider
  if (!ask) throw new AppError('UNAUTHENTICATED', "Send the identity provider's token, or a session's, as Authorization: Bearer")
  const from = { [addressHeader]: req.ip ?? '', [invitationHeader]: token }
  const isNew = action === 'sign_up'
  const path = isNew ? '/sign-up/email' : '/sign-in/email'
  countRequest(services.networkLimits, path, req.ip)
  const fields = { email, password, ...(isNew && { name: name?.trim() || email, callbackURL: '/claim' }) }
  let signedIn = await ask(path, from, fields)
  let signInToken = await tokenIn(signedIn)
  // Where mail can be sent, a sign-up does not tell whether the address had an account. The invitation that was mailed there may: its token
  // proves that the user receives mail there.
  if (signInToken === null) {
    if (invited === null) return { cookies: signedIn.headers.getSetCookie() }
    signedIn = await ask('/sign-in/email', from, { email, password })
    if (signedIn.status === 401) throw hasAccount()
    signInToken = await tokenIn(signedIn)
  }
  const { token: jwt } = issued.parse(await (await ask('/token', { ...from, authorization: `Bearer ${signInToken}` })).json())
  const identity = await verify(jwt)
  if (!identity) throw new AppError('UNAVAILABLE', 'Signing in does not work at the moment', { retryAfter: 1 })
  const device = { userAgent: req.headers['user-agent']?.slice(0, 500) ?? null, ipAddress: req.ip ?? null }
  // The invitation was mailed to the address, so its token proves that the user receives mail there, as the password proves that the
  // account is the user's.
  const isVerified = invited !== null || identity.isVerified
  const opening = createSession(contextOf({ kind: 'identity', ...identity, isVerified, device }), token)
  const session = withSession(
    await opening.catch(async (error: unknown) => {
      // Another request used the token first. The account that was just created is removed, so that its email address stays available.
      if (isNew && error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN'))
        await services.database.query(deleteNewcomer, [identity.userId])
      throw error
    }),
  )
  if (invited !== null)
    await services.database.prisma.idpUser.updateMany({
      where: { id: identity.userId, emailVerified: false },
      data: { emailVerified: true, updatedAt: services.now() },
    })
  // The provider's cookies sign the browser in, as a direct sign-up does, so that opening the verification link there revokes nothing.
  return { ...session, cookies: signedIn.headers.getSetCookie() }
}

function withSession({ joined: organization, ...session }: Awaited<ReturnType<typeof createSession>>): Outcome {
  if (!organization) throw notOpen()
  return { organization, session }
}

async function bodyOf(req: Request, sent: Sent): Promise<Body> {
  const text = (await readBytes(req, maxBytes)).toString('utf8')
  const isForm = mediaTypeOf(req.headers['content-type']).type === 'application/x-www-form-urlencoded'
  const parsed = body.safeParse(isForm ? Object.fromEntries(parseForm(text)) : jsonOf(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const example = '{"action":"sign_up","email":"...","password":"...","name":"..."}, or "sign_in" for an account that exists'
    throw new AppError('INVALID', `${issue?.path.join('.') || 'the body'}: ${issue?.message}. Send ${example}`)
  }
  sent.email = parsed.data.email
  sent.name = parsed.data.name ?? ''
  return parsed.data
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

const issued = z.object({ token: z.string() })
const signedUp = z.object({ token: z.string().nullable() })
const refusal = z.object({ message: z.string().catch('The identity provider refused'), code: z.string().optional() })

const hasAccount = () =>
  new AppError('ALREADY_EXISTS', 'There is an account with this email address: sign in with its password (action "sign_in")')

// Translates the provider's errors. Null after a sign-up whose address has to be verified first.
async function tokenIn(answer: globalThis.Response): Promise<string | null> {
  const content: unknown = await answer.json().catch(() => ({}))
  if (answer.ok) return signedUp.parse(content).token
  const { message, code } = refusal.parse(content)
  if (answer.status === 429)
    throw new AppError('RATE_LIMITED', 'Too many attempts from this address; try again in a minute', { retryAfter: 60 })
  if (code?.startsWith('USER_ALREADY_EXISTS')) throw hasAccount()
  if (answer.status === 401) throw new AppError('UNAUTHENTICATED', 'No account has this email address and password')
  if (answer.status === 403) throw new AppError('FORBIDDEN', message)
  if (answer.status >= 500) throw new AppError('UNAVAILABLE', 'Signing in does not work at the moment', { retryAfter: 1 })
  throw new AppError('INVALID', message)
}
