// The embedded identity provider: better-auth. Users, passwords, links and keys are its own; what leaves it is a JWT.

import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError, isAPIError } from 'better-auth/api'
import { bearer, jwt, magicLink } from 'better-auth/plugins'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { v7 as uuid } from 'uuid'
import type { Config } from '../config.ts'
import type { Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { audience, basePath, baseUrl, invitationHeader, issuer, jwksPath } from './identity-address.ts'
import { mayBecomeUser, notInvited } from './invitation.ts'
import { minPasswordLength, withPasswordPage } from './password-page.ts'
import { providerMail } from './provider-mail.ts'
import { type Library, providerPlugin } from './provider-plugin.ts'
import { inProviderRequest, providerLog, providerRequest } from './provider-request.ts'
import { providerStore } from './provider-store.ts'
import { passwordReset, type StopOrganizations } from './revocation.ts'
import { addressHeader } from './web-handler.ts'

export interface EmbeddedProvider {
  handler(request: Request): Promise<Response>
  keys(): Promise<unknown>
}

/** Opens it, with the one signing key that all processes share. */
export async function openEmbeddedProvider(services: Services, stop: StopOrganizations): Promise<EmbeddedProvider> {
  const auth = createAuth(services, stop)
  const keys = () => auth.api.getJwks()
  await ensureSigningKey(services, keys)
  return { handler: request => inProviderRequest(services.log, () => auth.handler(request)), keys }
}

function createAuth(services: Services, stop: StopOrganizations) {
  const { config, database, log } = services
  const mail = providerMail(services)
  const admit = admission(services)
  // Known only once the library is made of what it is used in.
  const userOf = async (headers: Headers) => (await auth.api.getSession({ headers }))?.user.id ?? null
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = config
  const auth: Provider = betterAuth({
    appName: 'Rolocom',
    baseURL: baseUrl(config),
    basePath,
    secret: config.IDENTITY_SECRET,
    trustedOrigins: trustedOrigins(config),
    telemetry: { enabled: false },
    // What callers do wrong is answered, not logged; what goes wrong with us is for the handler to answer.
    onAPIError: {
      onError(error) {
        if (!isAPIError(error)) throw error
      },
    },
    logger: { level: 'warn', log: providerLog(log) },
    // Its own transactions run into Prisma's timeout when many sign up at once; each of its writes stands alone.
    database: prismaAdapter(providerStore(services, stop), { provider: 'postgresql', transaction: false }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength,
      sendResetPassword: ({ user: { email }, url }) => mail.reset({ email, url: withPasswordPage(url, basePath) }),
      onPasswordReset: ({ user }) => passwordReset(services, user, stop),
    },
    emailVerification: {
      sendOnSignUp: config.MAIL_LINKS,
      expiresIn: verificationSeconds,
      sendVerificationEmail: ({ user: { email }, url }) => mail.verify({ email, url }),
      // Said before it is written, so that the store knows whether to end what was made until now.
      async beforeEmailVerification({ id }, request) {
        const current = providerRequest()
        if (current && request && (await userOf(request.headers)) === id) current.samePersonId = id
      },
    },
    ...(clientId && clientSecret && { socialProviders: { google: { clientId, clientSecret } } }),
    // They name sessions by their tokens, which are not kept.
    disabledPaths: ['/list-sessions', '/revoke-session', ...(config.MAIL_LINKS ? [] : mailedPaths)],
    user: { modelName: 'idpUser' },
    session: { modelName: 'idpSession' },
    account: {
      modelName: 'idpAccount',
      encryptOAuthTokens: true,
      // Somebody who signed up with another's address by password must not keep its owner out. What they made ends then: see revocation.ts.
      accountLinking: { requireLocalEmailVerified: false },
    },
    verification: { modelName: 'idpVerification', storeIdentifier: 'hashed' },
    databaseHooks: {
      // Whichever way somebody new comes, by password, link or Google, they come through here.
      user: { create: { before: async (_user, asking) => admit(asking?.headers ?? null) } },
      account: { create: { after: usedAccount }, update: { after: usedAccount } },
    },
    rateLimit: { enabled: config.RATE_LIMIT, storage: 'memory', window: 60, max: 600, customRules: signInLimits },
    advanced: {
      // Said outright, because the library would leave both checks out when NODE_ENV is test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      cookiePrefix: 'rcm',
      database: { generateId: () => uuid() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    plugins: [
      magicLink({
        storeToken: 'hashed',
        async sendMagicLink({ email, url }) {
          // A stranger hears what everybody hears, and gets no mail: the link could not make a user.
          const isKnown = config.SIGN_UP === 'open' || (await database.prisma.idpUser.findUnique({ where: { email: email.toLowerCase() } }))
          if (isKnown) await mail.signIn({ email, url })
        },
      }),
      bearer(),
      jwt({
        schema: { jwks: { modelName: 'idpJwks' } },
        jwks: { keyPairConfig: { alg: 'ES256' }, jwksPath },
        jwt: {
          issuer,
          audience,
          // 5 min: it is exchanged for a session at once, and nothing else takes it.
          expirationTime: '5m',
          // The handshake takes it for as long as the session is there that it names.
          definePayload: ({ user, session }) => ({
            sid: session.id,
            email: user.email,
            name: user.name,
            email_verified: user.emailVerified,
          }),
        },
      }),
      providerPlugin(services, () => auth.api),
    ],
  })
  return auth
}

// What ends in a link by e-mail.
const mailedPaths = ['/sign-in/magic-link', '/send-verification-email', '/request-password-reset']

const verificationSeconds = 86_400

// What the file uses of the library: its whole type follows from its options, which use it themselves.
interface Provider {
  handler(request: Request): Promise<Response>
  api: Library & { getJwks(): Promise<unknown> }
}

// The account that a request signs in with is the one thing that its user has just shown to hold.
async function usedAccount({ id }: { id: string }): Promise<void> {
  providerRequest()?.accountIds.add(id)
}

// 20 a minute and address: an office can sign in on Monday morning, a list of passwords cannot be tried.
const signInLimits = {
  '/sign-in/*': { window: 60, max: 20 },
  '/sign-up/*': { window: 60, max: 20 },
  '/reset-password': { window: 60, max: 20 },
  '/choose-password': { window: 60, max: 20 },
}

// To a browser `localhost` and `127.0.0.1` are two origins; whoever develops uses both.
function trustedOrigins(config: Config): string[] {
  const own = new URL(baseUrl(config))
  const local = config.isProduction ? [] : ['localhost', '127.0.0.1'].map(host => `http://${host}:${own.port || 80}`)
  return [own.origin, ...local, ...(config.FRONTEND_ORIGIN ? [new URL(config.FRONTEND_ORIGIN).origin] : [])]
}

// Throws what the library answers with, for somebody new who may not become a user.
function admission(services: Services): (headers: Headers | null) => Promise<void> {
  const { config } = services
  const perHour = config.RATE_LIMIT ? new RateLimiterMemory({ points: config.SIGN_UPS_PER_HOUR, duration: 3600 }) : null
  return async headers => {
    if (!(await mayBecomeUser(services, headers?.get(invitationHeader) ?? null)))
      throw new APIError('FORBIDDEN', { code: 'SIGN_UP_CLOSED', message: notInvited(services) })
    await perHour?.consume(headers?.get(addressHeader) ?? 'unknown').catch(() => {
      const message = `More than ${config.SIGN_UPS_PER_HOUR} new users from this address within an hour; try again later`
      throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_SIGN_UPS', message })
    })
  }
}

const lockSigningKey = statement<never>('identity_lock_signing_key', `select pg_advisory_xact_lock(hashtext('rolocom signing key'))`)

// The provider makes its key when it is first asked and finds none. Asked by several at once it makes several.
async function ensureSigningKey({ database }: Services, askForKeys: () => Promise<unknown>): Promise<void> {
  await database.transaction(async tx => {
    await tx.query(lockSigningKey)
    await askForKeys()
  })
}
