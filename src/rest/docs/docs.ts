// Serves the API reference at /docs, the guides, the page of error codes and /openapi.json. All assets are served from this origin.

import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import express, { type Request, type Response, Router } from 'express'
import { type Code, statusOf } from '../../kernel/errors.ts'
import { openapi } from '../openapi/openapi.ts'
import { titles } from '../router/answer.ts'
import { guideRoutes } from './guides.ts'
import { page } from './page.ts'

const ownFiles = fileURLToPath(new URL('public', import.meta.url))
const swaggerFiles = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/swagger-ui.css')))

/** Serves /docs, /docs/errors, /docs/guides and /openapi.json. */
export function docsRoutes(): Router {
  const router = Router()
  router.get('/openapi.json', sendDocument)
  router.get('/docs', (_req, res) => res.sendFile('index.html', { root: ownFiles }))
  router.get('/docs/errors', (_req, res) => {
    res.type('html').send(errorsPage())
  })
  router.use(guideRoutes())
  // Only the files that the page uses: the package's index.html shows the Petstore example.
  const shown = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js'])
  const swagger = express.static(swaggerFiles, { index: false, maxAge: '1d' })
  router.use('/docs/swagger', (req, res, next) => (shown.has(req.path) ? swagger(req, res, next) : next()))
  router.use('/docs', express.static(ownFiles, { index: false, redirect: false, maxAge: '1h' }))
  return router
}

// Generated at the first request: most processes never serve it.
let printed: { text: string; tag: string } | undefined

function sendDocument(req: Request, res: Response): void {
  if (!printed) {
    const text = JSON.stringify(openapi())
    printed = { text, tag: `"${createHash('sha1').update(text).digest('base64url')}"` }
  }
  res.setHeader('ETag', printed.tag)
  res.setHeader('Cache-Control', 'no-cache')
  if (req.headers['if-none-match'] === printed.tag) res.status(304).end()
  else res.type('json').send(printed.text)
}

const meanings: Record<Code, string> = {
  UNAUTHENTICATED: 'No credential came with the request, or one that is wrong, revoked or expired.',
  FORBIDDEN: 'The credential is good, but not for this: a scope is missing, or the organization is not one of its own.',
  GUEST_READ_ONLY: 'A guest tried to change something.',
  NOT_FOUND: 'Nothing has this address or id. What belongs to others looks the same.',
  METHOD_NOT_ALLOWED: 'The address is known, the method is not. <code>Allow</code> lists those that are.',
  ALREADY_EXISTS: 'Something with this unique field exists. <code>field</code> names it and <code>existing_id</code> the other one.',
  CONFLICT:
    'The state of things is against it, as <code>detail</code> says: it is being changed by others at this moment (try again), or it is not in a state for this (trying again does not help until that changes).',
  IDEMPOTENCY_IN_FLIGHT: 'The first request with this Idempotency-Key is still running. Ask again after <code>Retry-After</code> seconds.',
  AGENT_NOT_ACTIVE: 'The voice agent is not active, so it places no calls. <code>detail</code> says what it is.',
  SUGGESTION_STALE: 'The contact has another value by now than the suggestion was made for. Look at it again, then decide.',
  TARGET_NOT_FOUND: 'No record is the target of the suggestion: nothing can take its value.',
  PRECONDITION_FAILED: 'The version in <code>If-Match</code> is not the current one. Read again, then decide.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not plain <code>application/json</code> in UTF-8.',
  INVALID: 'The request did not pass the checks. <code>detail</code> lists every problem: where, what, and what was sent.',
  IDEMPOTENCY_MISMATCH: 'The Idempotency-Key was used before, with another request.',
  INSUFFICIENT_CREDITS: 'The account has fewer credits than this costs. Nothing was taken.',
  UPSTREAM: 'A service outside, such as a telephone company, refused or did not answer. <code>detail</code> says what is known of it.',
  RATE_LIMITED: 'Too many requests. <code>Retry-After</code> says when to go on; <code>RateLimit</code> says it beforehand.',
  UNAVAILABLE: 'Something this server needs is away for a moment. Retry after <code>Retry-After</code> seconds.',
  INTERNAL: 'Our mistake. The log has it under the same <code>request_id</code>.',
}

function errorsPage(): string {
  const rows = (Object.keys(statusOf) as Code[])
    .toSorted((a, b) => statusOf[a] - statusOf[b])
    .map(code => {
      const name = code.toLowerCase()
      return `<tr id="${name}"><td>${statusOf[code]}</td><td><code>${name}</code></td><td><strong>${titles[code]}.</strong> ${meanings[code]}</td></tr>`
    })
  return page(
    'Errors · Rolocom API',
    '/docs/errors',
    `  <main class="page">
    <h1>Errors</h1>
    <p>An error is a JSON object with <code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code>, <code>code</code> and <code>request_id</code>.
    Only 422 is different: its <code>detail</code> is a list, one item per problem. GraphQL gives the same codes in capitals, in <code>extensions.code</code>.</p>
    <table>
      <thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
      <tbody>
        ${rows.join('\n        ')}
      </tbody>
    </table>
  </main>`,
  )
}
