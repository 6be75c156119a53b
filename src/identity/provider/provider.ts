// The identity provider: embedded and served at /idp, or external. Both identify users by JWT.

import type { RequestHandler } from 'express'
import type { Services } from '../../kernel/context.ts'
import { audience, basePath, baseUrl, issuer, jwksPath } from './address.ts'
import type { EmbeddedProvider, ProviderOptions } from './embedded.ts'
import { countRequest } from './request-limits.ts'
import { createVerifier, type VerifyIdentity } from './token.ts'
import { webHandler } from './web-handler.ts'

export interface IdentityProvider {
  /** Serves /idp. With an external provider it passes every request to the next handler. */
  handler: RequestHandler
  verify: VerifyIdentity
  /** Sends a request to the embedded provider within the process: a POST if there is a body. Null with an external provider. */
  ask: ((path: string, headers: Record<string, string>, body?: unknown) => Promise<Response>) | null
}

export function createIdentityProvider(services: Services, options: ProviderOptions): IdentityProvider {
  const { config, now, networkLimits } = services
  if (config.IDENTITY_ISSUER && config.IDENTITY_AUDIENCE) {
    const jwksUrl = config.IDENTITY_JWKS_URL ?? `${config.IDENTITY_ISSUER.replace(/\/$/, '')}${jwksPath}`
    const outside = { issuer: config.IDENTITY_ISSUER, audience: config.IDENTITY_AUDIENCE, jwksUrl: new URL(jwksUrl) }
    return { handler: (_req, _res, next) => next(), verify: createVerifier(outside, now), ask: null }
  }

  const embedded = whenAsked(services, options)
  const { origin } = new URL(baseUrl(config))
  return {
    handler: webHandler({
      origin,
      count: (path, address) => countRequest(networkLimits, path, address),
      handle: async request => (await embedded()).handler(request),
    }),
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
        // The same keys as over HTTP, which may not work: the server's public address is not always reachable from the server itself.
        fetchKeys: async () => Response.json(await (await embedded()).keys()),
      },
      now,
    ),
  }
}

// Loads the embedded provider at the first sign-in: the library is a fifth of all modules, and most processes never need it.
function whenAsked(services: Services, options: ProviderOptions): () => Promise<EmbeddedProvider> {
  let opening: Promise<EmbeddedProvider> | undefined
  return () => {
    opening ??= import('./embedded.ts').then(({ openEmbeddedProvider }) => openEmbeddedProvider(services, options))
    // If opening fails because the database is unavailable, the next request tries again.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
}
