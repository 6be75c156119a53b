// The identity provider: the embedded one, served at /idp, or an outside one. Both vouch for users by JWT.

import type { RequestHandler } from 'express'
import type { Services } from '../context.ts'
import type { EmbeddedProvider } from './embedded-provider.ts'
import { audience, basePath, baseUrl, issuer, jwksPath } from './identity-address.ts'
import { createVerifier, type VerifyIdentity } from './identity-token.ts'
import type { StopOrganizations } from './revocation.ts'
import { webHandler } from './web-handler.ts'

export interface IdentityProvider {
  /** Serves /idp. Where an outside provider is configured there is nothing to serve, and it passes every request on. */
  handler: RequestHandler
  verify: VerifyIdentity
  /** Asks the embedded provider from within the process, as over HTTP: a POST with a body. Null where an outside one is configured. */
  ask: ((path: string, headers: Record<string, string>, body?: unknown) => Promise<Response>) | null
}

/** `stop` is called for organizations whose only member turns out to be somebody else than who signed up: see revocation.ts. */
export function createIdentityProvider(services: Services, stop: StopOrganizations): IdentityProvider {
  const { config, now } = services
  if (config.IDENTITY_ISSUER && config.IDENTITY_AUDIENCE) {
    const jwksUrl = config.IDENTITY_JWKS_URL ?? `${config.IDENTITY_ISSUER.replace(/\/$/, '')}${jwksPath}`
    const outside = { issuer: config.IDENTITY_ISSUER, audience: config.IDENTITY_AUDIENCE, jwksUrl: new URL(jwksUrl) }
    return { handler: (_req, _res, next) => next(), verify: createVerifier(outside, now), ask: null }
  }

  const embedded = whenAsked(services, stop)
  const { origin } = new URL(baseUrl(config))
  return {
    handler: webHandler(origin, async request => (await embedded()).handler(request)),
    async ask(path, headers, body) {
      const post = body !== undefined && { method: 'POST', body: JSON.stringify(body) }
      const request = { headers: { 'content-type': 'application/json', origin, ...headers }, ...post }
      return (await embedded()).handler(new Request(`${origin}${basePath}${path}`, request))
    },
    verify: createVerifier(
      {
        issuer,
        audience,
        namesSessions: true,
        jwksUrl: new URL(`${baseUrl(config)}${basePath}${jwksPath}`),
        // The same keys as over HTTP, without asking ourselves over a network that may not lead back here.
        fetchKeys: async () => Response.json(await (await embedded()).keys()),
      },
      now,
    ),
  }
}

// Loaded and opened when somebody first signs in: it is a fifth of all modules of a start, and most processes are never asked.
function whenAsked(services: Services, stop: StopOrganizations): () => Promise<EmbeddedProvider> {
  let opening: Promise<EmbeddedProvider> | undefined
  return () => {
    opening ??= import('./embedded-provider.ts').then(({ openEmbeddedProvider }) => openEmbeddedProvider(services, stop))
    // One that could not be opened, because the database was away, is opened by whoever asks next.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
}
