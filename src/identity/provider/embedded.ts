// The embedded identity provider: better-auth with its own tables of users, passwords and links. It issues JWTs.

import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { isAPIError } from 'better-auth/api'
import { bearer, jwt, magicLink } from 'better-auth/plugins'
import type { Config } from '../../config/environment.ts'
import type { Services } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { minPasswordLength, withPasswordPage } from '../pages/password.ts'
import { passwordReset, type StopOrganizations } from '../sessions/recovery.ts'
import { isInvitedByMail, isTold, requireUsable, verificationSeconds, verifiesFirst } from '../sign-up/new-account.ts'
import { handleVerification } from '../sign-up/verification-link.ts'
import { audience, basePath, baseUrl, issuer, jwksPath } from './address.ts'
import { boundTo, handleLinks } from './browser.ts'
import { providerMail } from './mail.ts'
import { type Library, providerPlugin, requireFewNewUsers, requireInvited, signInPath, signUpPath } from './plugin.ts'
import { lockSigningKey } from './provider.sql.ts'
import { inProviderRequest, providerLog, providerRequest } from './request.ts'
import { providerStore } from './store.ts'
import { addressHeader } from './web-handler.ts'

export interface EmbeddedProvider {
  handler(request: Request): Promise<Response>
  keys(): Promise<unknown>
}

/** Hashes and verifies passwords. */
export interface PasswordHashing {
  hash(password: string): Promise<string>
  verify(stored: { hash: string; password: string }): Promise<boolean>
}

export interface ProviderOptions {
  /** Called for the organizations of an account when the owner of its address takes it over: see `endUnverifiedAccess`. */
  stop: StopOrganizations
  /** Default: the library's, scrypt at 0.1 s of CPU. */
  passwords?: PasswordHashing | undefined
}

/** Opens the provider. All processes share one signing key, which the first one creates. */
export async function openEmbeddedProvider(services: Services, options: ProviderOptions): Promise<EmbeddedProvider> {
  const auth = createAuth(services, options)
  const keys = () => auth.api.getJwks()
  await ensureSigningKey(services, keys)
  const { config, log } = services
  const emailOfSession = async (headers: Headers) => (await auth.api.getSession({ headers }))?.user.email?.toLowerCase() ?? null
  const { internalAdapter, password } = await auth.$context
  const verification = { services, handle: auth.handler, emailOfSession, verifyPassword: password.verify }
  const links = {
    config,
    handle: (request: Request) => handleVerification(request, verification),
    emailOfSession,
    findStored: async (identifier: string) => (await internalAdapter.findVerificationValue(identifier))?.value ?? null,
  }
  return { handler: request => inProviderRequest(log, () => handleLinks(request, links)), keys }
}

function createAuth(services: Services, { stop, passwords }: ProviderOptions) {
  const { config, database, log } = services
  const mail = providerMail(services)
  const admit = admission(services)
  // `auth` is defined below, by options that call this function.
  const userOf = async (headers: Headers) => (await auth.api.getSession({ headers }))?.user.id ?? null
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = config
  const auth: Provider = betterAuth({
    appName: 'Rolocom',
    baseURL: baseUrl(config),
    basePath,
    secret: config.IDENTITY_SECRET,
    trustedOrigins: trustedOrigins(config),
    telemetry: { enabled: false },
    // Errors caused by the client are answered without a log message; the handler answers other errors.
    onAPIError: {
      onError(error) {
        if (!isAPIError(error)) throw error
      },
    },
    logger: { level: 'warn', log: providerLog(log) },
    // Off: the library's transactions exceed Prisma's timeout when many users sign up at once. Each of its writes is valid on its own.
    database: prismaAdapter(providerStore(services, stop), { provider: 'postgresql', transaction: false }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength,
      // With it, the library answers a sign-up with an address that has an account as any other.
      autoSignIn: !verifiesFirst(config),
      async onExistingUserSignUp({ user }, request) {
        if (await isTold(services, user, request?.headers)) await mail.known({ email: user.email, url: `${baseUrl(config)}/sign-in` })
      },
      ...(passwords && { password: passwords }),
      sendResetPassword: ({ user: { email }, url }) => mail.reset({ email, url: withPasswordPage(url, basePath) }),
      onPasswordReset: ({ user }) => passwordReset(services, user, stop),
    },
    emailVerification: {
      sendOnSignUp: config.MAIL_LINKS,
      expiresIn: verificationSeconds,
      autoSignInAfterVerification: verifiesFirst(config),
      async sendVerificationEmail({ user: { email }, url }, request) {
        if (!(await isInvitedByMail(services, request?.headers, email))) await mail.verify({ email, url })
      },
      // Runs before the address is marked as verified, because the store uses this to decide whether to end what the account has created.
      async beforeEmailVerification({ id }, request) {
        const current = providerRequest()
        if (current && request && (await userOf(request.headers)) === id) current.samePersonId = id
      },
    },
    ...(clientId && clientSecret && { socialProviders: { google: { clientId, clientSecret } } }),
    // These endpoints identify sessions by token, but the database has only hashes of tokens.
    disabledPaths: ['/list-sessions', '/revoke-session', ...(config.MAIL_LINKS ? [] : mailedPaths)],
    user: { modelName: 'idpUser' },
    session: { modelName: 'idpSession' },
    account: {
      modelName: 'idpAccount',
      encryptOAuthTokens: true,
      // Otherwise a stranger who signs up with another person's address would prevent its owner from signing in with Google. When the owner
      // signs in, `endUnverifiedAccess` ends what the stranger has created.
      accountLinking: { requireLocalEmailVerified: false },
    },
    verification: { modelName: 'idpVerification', storeIdentifier: 'hashed' },
    databaseHooks: {
      // Called for every way to create a user: password, link or Google.
      user: {
        create: {
          async before(user, asking) {
            await admit(asking)
            // The same time, as in the answer to a sign-up with an address that has an account.
            return { data: { ...user, updatedAt: user.createdAt } }
          },
        },
      },
      session: {
        create: {
          async before({ userId }, asking) {
            if (asking?.path === signInPath) await requireUsable(services, userId, asking.headers)
          },
        },
      },
      account: { create: { after: noteAccount }, update: { after: noteAccount } },
    },
    // Requests are counted before their body is read: see request-limits.ts.
    rateLimit: { enabled: false },
    advanced: {
      // Explicit, because the library disables both checks when NODE_ENV is test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      cookiePrefix: 'rcm',
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    plugins: [
      magicLink({
        storeToken: 'hashed',
        async sendMagicLink({ email, url: link }, asking) {
          const url = boundTo(asking, link, config)
          // An unknown address gets the same response but no email, because the link could not create a user.
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
          // 5 min: the token is exchanged for a session immediately, and is valid for nothing else.
          expirationTime: '5m',
          // `sid`: the handshake refuses the token once this session has ended.
          // `iat`, which `exp` follows: by the database's clock, as the handshake checks it; this process's may be wrong.
          definePayload: ({ user, session }) => ({
            iat: Math.floor(services.now().getTime() / 1000),
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

// Endpoints that send a link by email.
const mailedPaths = ['/sign-in/magic-link', '/send-verification-email', '/request-password-reset']

// The part of the library's type that this file uses. The whole type is inferred from the options, which refer to it.
interface Provider {
  handler(request: Request): Promise<Response>
  api: Library & { getJwks(): Promise<unknown> }
  $context: Promise<{
    internalAdapter: { findVerificationValue(identifier: string): Promise<{ value: string } | null> }
    password: { verify: PasswordHashing['verify'] }
  }>
}

// Records the account (password or Google) that the request has signed in with: the user has just proved to own it.
async function noteAccount({ id }: { id: string }): Promise<void> {
  providerRequest()?.accountIds.add(id)
}

// Browsers treat `localhost` and `127.0.0.1` as different origins, and both are used in development.
function trustedOrigins(config: Config): string[] {
  const own = new URL(baseUrl(config))
  const local = config.isProduction ? [] : ['localhost', '127.0.0.1'].map(host => `http://${host}:${own.port || 80}`)
  return [own.origin, ...local, ...(config.FRONTEND_ORIGIN ? [new URL(config.FRONTEND_ORIGIN).origin] : [])]
}

// Throws the library's error for a new user who is not allowed to sign up. A sign-up by password was counted before the library looked for the
// address.
function admission(services: Services): (asking: { path?: string; headers?: Headers } | null) => Promise<void> {
  return async asking => {
    const headers = asking?.headers ?? null
    await requireInvited(services, headers)
    if (asking?.path !== signUpPath) requireFewNewUsers(services, headers)
  }
}

// The library creates a key when it finds none. The lock keeps concurrent processes from creating several.
async function ensureSigningKey({ database }: Services, askForKeys: () => Promise<unknown>): Promise<void> {
  await database.transaction(async tx => {
    await tx.query(lockSigningKey)
    await askForKeys()
  })
}
