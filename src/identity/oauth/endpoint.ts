// HTTP handlers of OAuth: metadata, and the registration, token and revocation endpoints. The page at /oauth/authorize is the web app's.

import { type Request, type RequestHandler, type Response, Router } from 'express'
import { z } from 'zod'
import { createContext, type Services } from '../../kernel/context.ts'
import { writeInTime } from '../../kernel/deadlines/deadline.ts'
import { AppError, statusOf } from '../../kernel/errors.ts'
import { parseForm, readBytes } from '../../kernel/input/body.ts'
import { cutText, shorten } from '../../kernel/input/cut.ts'
import { OversizedJson, parseJson } from '../../kernel/input/json-text.ts'
import { mediaTypeOf } from '../../kernel/input/media-type.ts'
import type { NetworkLimit } from '../../kernel/limits/limits.ts'
import { oauthPaths, resourceMetadataPaths, serverMetadataPaths } from './address.ts'
import { registerClient } from './client.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { Refused } from './refused.ts'
import { exchangeCode, refreshTokens, revokeToken } from './token.ts'

// 16 KiB: ten addresses of 1,000 characters, with names in several languages.
const maxBytes = 16_384

// Some clients write null for what they do not say.
const optional = <Shape extends z.ZodType>(shape: Shape, absent: z.output<Shape>) => shape.nullish().transform(given => given ?? absent)

/** The accepted members of a registration (RFC 7591, 2). All others, such as logos, are left out, because nobody has checked them. */
const registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(10),
  client_name: optional(z.string().max(1000), 'An application'),
  grant_types: optional(z.array(z.string()).max(20), ['authorization_code']),
  response_types: optional(z.array(z.string()).max(20), ['code']),
})

// A client registers once, and refreshes once an hour.
const registrations = { max: 20, seconds: 3600 }
const requests = { max: 120, seconds: 60 }

export function createOauth(services: Services): Router {
  const { config } = services
  const count = (limit: NetworkLimit, { ip }: Request) => {
    const retryAfter = services.networkLimits.count(limit, ip)
    if (retryAfter !== null) throw new AppError('RATE_LIMITED', 'Too many requests from this address', { retryAfter })
  }
  const contextOf = (req: Request, operation: string) =>
    createContext(services, { principal: { kind: 'anonymous' }, requestId: req.id, door: 'rest', operation })
  const router = Router()

  // Compared as texts, because a path of PUBLIC_URL may have characters that mean something in a pattern.
  const [resource, server] = [resourceMetadataPaths(config), serverMetadataPaths(config)]
  router.get(/^\/\.well-known\//, ({ path: asked }, res, next) => {
    const path = asked.replace(/\/$/, '')
    if (resource.includes(path)) res.json(resourceMetadata(config))
    else if (server.includes(path)) res.json(serverMetadata(config))
    else next()
  })

  router.post(
    oauthPaths.register,
    answering(async (req, res) => {
      count(registrations, req)
      const parsed = registration.safeParse(await jsonOf(req))
      if (!parsed.success) throw new Refused('invalid_client_metadata', shorten(z.prettifyError(parsed.error), 500))
      const { client_name: name, redirect_uris: redirectUris, grant_types: grants, response_types: responses } = parsed.data
      if (!grants.includes('authorization_code') || !responses.includes('code'))
        throw new Refused('invalid_client_metadata', 'Only the grant type authorization_code and the response type code are offered')
      const client = await registerClient(contextOf(req, 'registerClient'), { name, redirectUris })
      res.status(201).json({
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      })
    }),
  )

  router.post(
    oauthPaths.token,
    answering(async (req, res) => {
      count(requests, req)
      const form = await formOf(req)
      const clientId = requireParameter(form, 'client_id')
      const resource = form.get('resource') ?? undefined
      const context = contextOf(req, 'exchangeToken')
      const type = requireParameter(form, 'grant_type')
      if (type === 'authorization_code') {
        const [code, codeVerifier, redirectUri] = ['code', 'code_verifier', 'redirect_uri'].map(name => requireParameter(form, name)) as [
          string,
          string,
          string,
        ]
        res.json(await exchangeCode(context, { clientId, code, codeVerifier, redirectUri, resource }))
      } else if (type === 'refresh_token') {
        const refreshToken = requireParameter(form, 'refresh_token')
        res.json(await refreshTokens(context, { clientId, refreshToken, scope: form.get('scope') ?? undefined, resource }))
      } else throw new Refused('unsupported_grant_type', 'grant_type is authorization_code or refresh_token')
    }),
  )

  router.post(
    oauthPaths.revoke,
    answering(async (req, res) => {
      count(requests, req)
      const form = await formOf(req)
      await revokeToken(contextOf(req, 'revokeToken'), {
        token: requireParameter(form, 'token'),
        clientId: form.get('client_id') ?? undefined,
      })
      res.status(200).end()
    }),
  )
  router.all([oauthPaths.register, oauthPaths.token, oauthPaths.revoke], (_req, res) => {
    res.setHeader('Allow', 'POST')
    refuse(res, 405, { error: 'invalid_request', description: 'This address takes POST' })
  })
  return router
}

/** Answers errors as RFC 6749 (5.2) has them. Unexpected ones go on to the server's handler. */
const answering =
  (work: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  async (req, res, next) => {
    res.setHeader('Cache-Control', 'no-store')
    try {
      await writeInTime(() => work(req, res))
    } catch (thrown) {
      if (thrown instanceof Refused) {
        // 401 makes some clients register again (RFC 6749, 5.2).
        const isUnknown = thrown.error === 'invalid_client'
        if (isUnknown) res.setHeader('WWW-Authenticate', 'Bearer error="invalid_client"')
        return refuse(res, isUnknown ? 401 : 400, { error: thrown.error, description: thrown.message })
      }
      if (!(thrown instanceof AppError)) return next(thrown)
      const { code, message, extras } = thrown
      const isAway = code === 'UNAVAILABLE' || code === 'RATE_LIMITED'
      if (isAway) res.setHeader('Retry-After', String(extras.retryAfter ?? 1))
      refuse(res, statusOf[code], { error: isAway ? 'temporarily_unavailable' : 'invalid_request', description: message })
    }
  }

function refuse(res: Response, status: number, { error, description }: { error: string; description: string }): void {
  res.status(status).json({ error, error_description: description })
}

async function textOf(req: Request, type: string): Promise<string> {
  if (mediaTypeOf(req.headers['content-type']).type !== type) throw new Refused('invalid_request', `The body must be ${type}`)
  return (await readBytes(req, maxBytes)).toString()
}

async function jsonOf(req: Request): Promise<unknown> {
  const text = await textOf(req, 'application/json')
  try {
    return parseJson(text)
  } catch (error) {
    throw new Refused('invalid_client_metadata', error instanceof OversizedJson ? `The body ${error.message}` : 'The body is not JSON')
  }
}

async function formOf(req: Request): Promise<URLSearchParams> {
  const form = parseForm(await textOf(req, 'application/x-www-form-urlencoded'))
  // A parameter without a value counts as absent (RFC 6749, 3.2).
  for (const [name, value] of [...form]) if (value === '') form.delete(name, value)
  const names = new Set<string>()
  const repeated = [...form.keys()].find(name => names.size === names.add(name).size)
  if (repeated !== undefined) throw new Refused('invalid_request', `${cutText(repeated, 100)} comes more than once`)
  return form
}

function requireParameter(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (!value) throw new Refused(name === 'client_id' ? 'invalid_client' : 'invalid_request', `${name} is missing`)
  return value
}
