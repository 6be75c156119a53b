// What the project does for every request besides its work: an id, the API key, limits of the key and of its organization, the same headers,
// a metric and a line of log. The peers do it as well, by hand: a service that leaves it out does another work.

import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { Histogram } from 'prom-client'
import { keyOf } from './database.js'

const security = {
  'content-security-policy':
    "default-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';object-src 'none';img-src 'self' data: https:",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/**
 * A Fastify app whose requests have an API key as `request.key`; those without one are refused. `isWrite`: whether a request, whose body is
 * parsed, counts as a write. `headers`: further ones of all responses.
 */
export function createApp({ isWrite, headers }) {
  const app = Fastify({ genReqId: () => randomUUID() })
  const constant = { ...security, ...headers }
  app.decorateRequest('key', null)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(constant).header('x-request-id', request.id)
    const go = key => {
      if (!key) return void reply.code(401).send({ detail: 'unauthorized' })
      request.key = key
      done()
    }
    const key = keyOf(request.headers.authorization)
    if (key instanceof Promise) key.then(go, done)
    else go(key)
  })
  app.addHook('preHandler', (request, reply, done) => {
    const kind = isWrite(request) ? writes : reads
    const own = kind.ofKey(request.key.id)
    const shared = own.isRefused ? own : kind.ofOrganization(request.key.orgId)
    reply.header('ratelimit-policy', kind.policy).header('ratelimit', `${own.standing}, ${shared.standing}`)
    if (shared.isRefused) return void reply.code(429).send({ detail: 'too many requests' })
    done()
  })
  app.addHook('onResponse', ({ id, method, url, key }, { statusCode, elapsedTime }, done) => {
    const principal = key && { type: 'api_key', id: key.id, name: key.label }
    const path = url.split('?', 1)[0]
    const durationMs = Math.round(elapsedTime * 100) / 100
    durations.labels(path.split('/', 2)[1], method, String(statusCode)).observe(elapsedTime / 1000)
    const fields = {
      level: 'info',
      time: Date.now(),
      requestId: id,
      method,
      path,
      status: statusCode,
      durationMs,
      principal,
      msg: 'request',
    }
    lines += `${JSON.stringify(fields)}\n`
    done()
  })
  return app
}

// Written twice a second, as the project's are.
let lines = ''
setInterval(() => {
  if (lines) process.stdout.write(lines)
  lines = ''
}, 500).unref()

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Requests by door, method and status.',
  labelNames: ['door', 'method', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

const windowMs = 60_000
function counter(name, points) {
  const counts = new Map()
  return key => {
    const now = Date.now()
    let count = counts.get(key)
    if (!count || count.until <= now) {
      count = { used: 0, until: now + windowMs }
      counts.set(key, count)
    }
    count.used++
    const left = Math.max(0, points - count.used)
    return { isRefused: count.used > points, standing: `"${name}";r=${left};t=${Math.ceil((count.until - now) / 1000)}` }
  }
}

function limitsOf(kind, ofKey, ofOrganization) {
  return {
    ofKey: counter(kind, ofKey),
    ofOrganization: counter(`organization-${kind}`, ofOrganization),
    policy: `"${kind}";q=${ofKey};w=60, "organization-${kind}";q=${ofOrganization};w=60`,
  }
}
const { RATE_LIMIT_READS, RATE_LIMIT_ORGANIZATION_READS, RATE_LIMIT_WRITES, RATE_LIMIT_ORGANIZATION_WRITES } = process.env
const reads = limitsOf('read', Number(RATE_LIMIT_READS), Number(RATE_LIMIT_ORGANIZATION_READS))
const writes = limitsOf('write', Number(RATE_LIMIT_WRITES), Number(RATE_LIMIT_ORGANIZATION_WRITES))
