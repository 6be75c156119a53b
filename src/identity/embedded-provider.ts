// The embedded identity provider: better-auth. Users, passwords, links and keys are its own; what leaves it is a JWT.

import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { isAPIError } from 'better-auth/api'
import { bearer, jwt, magicLink } from 'better-auth/plugins'
import { v7 as uuid } from 'uuid'
import type { Config } from '../config.ts'
import type { Services } from '../context.ts'
import { statement } from '../database/client.ts'
import { withHashedTokens } from './hashed-tokens.ts'
import { audience, basePath, baseUrl, issuer, jwksPath } from './identity-address.ts'
import { addressHeader } from './web-handler.ts'

export interface EmbeddedProvider {
  handler(request: Request): Promise<Response>
  keys(): Promise<unknown>
}

/** Opens it, with the one signing key that all processes share. */
export async function openEmbeddedProvider(services: Services): Promise<EmbeddedProvider> {
  const auth = createAuth(services)
  const keys = () => auth.api.getJwks()
  await ensureSigningKey(services, keys)
  return { handler: request => auth.handler(request), keys }
}

function createAuth({ config, database, log, tasks }: Services) {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = config
  return betterAuth({
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
    logger: { level: 'warn', log: (level, message, ...details) => log[level]({ details }, `identity provider: ${message}`) },
    // Its own transactions run into Prisma's timeout when many sign up at once; each of its writes stands alone.
    database: prismaAdapter(withHashedTokens(database.prisma), { provider: 'postgresql', transaction: false }),
    emailAndPassword: { enabled: true, minPasswordLength: 10 },
    ...(clientId && clientSecret && { socialProviders: { google: { clientId, clientSecret } } }),
    // They name sessions by their tokens, which are not kept.
    disabledPaths: ['/list-sessions', '/revoke-session'],
    user: { modelName: 'idpUser' },
    session: { modelName: 'idpSession' },
    account: { modelName: 'idpAccount', encryptOAuthTokens: true },
    verification: { modelName: 'idpVerification' },
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
          if (!config.SMTP_URL) return log.info({ email, url }, 'the link to sign in with; no SMTP_URL is set, so it is only printed here')
          const text = `Sign in to Rolocom with this link. It works once, for five minutes:\n\n${url}\n\nIf you did not ask for it, ignore it.`
          await tasks.enqueue('mail', { to: email, subject: 'Sign in to Rolocom', text })
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
          definePayload: ({ user }) => ({ email: user.email, name: user.name, email_verified: user.emailVerified }),
        },
      }),
    ],
  })
}

// 20 a minute and address: an office can sign in on Monday morning, a list of passwords cannot be tried.
const signInLimits = { '/sign-in/*': { window: 60, max: 20 }, '/sign-up/*': { window: 60, max: 20 } }

// To a browser `localhost` and `127.0.0.1` are two origins; whoever develops uses both.
function trustedOrigins(config: Config): string[] {
  const own = new URL(baseUrl(config))
  const local = config.isProduction ? [] : ['localhost', '127.0.0.1'].map(host => `http://${host}:${own.port || 80}`)
  return [own.origin, ...local, ...(config.FRONTEND_ORIGIN ? [new URL(config.FRONTEND_ORIGIN).origin] : [])]
}

const lockSigningKey = statement<never>('identity_lock_signing_key', `select pg_advisory_xact_lock(hashtext('rolocom signing key'))`)

// The provider makes its key when it is first asked and finds none. Asked by several at once it makes several.
async function ensureSigningKey({ database }: Services, askForKeys: () => Promise<unknown>): Promise<void> {
  await database.transaction(async tx => {
    await tx.query(lockSigningKey)
    await askForKeys()
  })
}
