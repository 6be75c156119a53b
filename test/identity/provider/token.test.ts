import { createHmac, generateKeyPairSync } from 'node:crypto'
import { exportSPKI, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { openApp, startApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { audience, issuer, type OutsideProvider, startProvider } from '../outside-provider.ts'

const outside = ({ url }: OutsideProvider) => ({ IDENTITY_ISSUER: issuer, IDENTITY_AUDIENCE: audience, IDENTITY_JWKS_URL: url })
const provider = await keepOpen(startProvider())
const pair = await provider.rotate('one')
const app = await openApp({ env: outside(provider) })
const handshake = (token: string, to = app) => to.rest('POST', '/api/auth/session', { headers: { authorization: `Bearer ${token}` } })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)

describe('POST /api/auth/session with the token of an outside provider', () => {
  test('opens a session', async () => {
    const { status, body } = await handshake(await provider.sign(pair, { claims: { sub: 'honest' } }))

    expect(status).toBeLessThan(300)
    expect(body).toMatchObject({ session_token: expect.stringMatching(/^[0-9a-f-]{36}$/), user_id: 'honest' })
    expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now() + 29.9 * 86_400_000)
  })

  test.each(['EdDSA', 'RS256', 'ES384', 'PS256'])('%s signatures are accepted too', async alg => {
    const kid = `by-${alg}`
    const other = await provider.add(kid, alg)
    const fresh = await startApp({ env: outside(provider) })
    try {
      expect((await handshake(await provider.sign(other, { kid, alg }), fresh)).status).toBeLessThan(300)
    } finally {
      await fresh.close()
    }
  })

  test('clocks may differ by a minute', async () => {
    expect((await handshake(await provider.sign(pair, { expiresIn: -50 }))).status).toBeLessThan(300)
    expect((await handshake(await provider.sign(pair, { claims: { nbf: now() + 50 } }))).status).toBeLessThan(300)
  })
})

describe('forged, foreign and outdated tokens', () => {
  const payload = () => ({ iss: issuer, aud: audience, sub: 'intruder', iat: now(), exp: now() + 300 })
  const unsigned = (alg: string, signature = '') => `${encode({ alg, kid: 'one' })}.${encode(payload())}.${signature}`
  const hmac = (secret: string | Buffer, header: object = {}) => {
    const text = `${encode({ alg: 'HS256', kid: 'one', ...header })}.${encode(payload())}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const intruder = generateKeyPair('ES256', { extractable: true })
  const signedByIntruder = async (header: Record<string, unknown>) => provider.sign(await intruder, { header, claims: { sub: 'intruder' } })
  const intrudersKey = async () => ({
    ...(await import('jose').then(async jose => jose.exportJWK((await intruder).publicKey))),
    kid: 'evil',
    alg: 'ES256',
  })

  const forgeries: Record<string, () => string | Promise<string>> = {
    'alg none': () => unsigned('none'),
    'alg None': () => unsigned('None'),
    'alg nOnE': () => unsigned('nOnE'),
    'alg NONE with a signature': () => unsigned('NONE', 'AAAA'),
    'alg missing': () => `${encode({ kid: 'one' })}.${encode(payload())}.AAAA`,
    'HMAC with the public key as secret (PEM)': async () => hmac(await exportSPKI(pair.publicKey)),
    'HMAC with the public key as secret (JWK)': async () =>
      hmac(JSON.stringify(await import('jose').then(jose => jose.exportJWK(pair.publicKey)))),
    'HMAC with an empty secret': () => hmac(''),
    'HMAC with a weak secret': () => hmac('secret'),
    'kid that is a path': () => hmac('', { kid: '../../../../dev/null' }),
    'kid that is SQL': () => hmac('x', { kid: "' union select 'x' --" }),
    'kid of nobody': async () => provider.sign(pair, { kid: 'nobody' }),
    'signed by another key under our kid': () => signedByIntruder({ kid: 'one' }),
    'jku that leads elsewhere': () => signedByIntruder({ kid: 'evil', jku: 'http://127.0.0.1:9/evil.json' }),
    'x5u that leads elsewhere': () => signedByIntruder({ kid: 'evil', x5u: 'http://127.0.0.1:9/evil.pem' }),
    'its own key in the header': async () => signedByIntruder({ kid: 'one', jwk: await intrudersKey() }),
    'its own certificate in the header': () => signedByIntruder({ kid: 'one', x5c: ['AAAA'] }),
    'unknown critical header': () => provider.sign(pair, { header: { crit: ['b64'], b64: false } }).catch(() => unsigned('ES256', 'AAAA')),
    'payload edited after signing': async () => {
      const [head, , signature] = (await provider.sign(pair)).split('.')
      return `${head}.${encode({ ...payload(), sub: 'admin' })}.${signature}`
    },
    'signature cut off': async () => `${(await provider.sign(pair)).split('.').slice(0, 2).join('.')}.`,
    'signature of zeros': async () =>
      `${(await provider.sign(pair)).split('.').slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`,
    'another issuer': () => provider.sign(pair, { claims: { iss: 'https://evil.example.com/' } }),
    'the issuer without its slash': () => provider.sign(pair, { claims: { iss: issuer.slice(0, -1) } }),
    'no issuer': () => provider.sign(pair, { claims: { iss: undefined } }),
    'another audience': () => provider.sign(pair, { claims: { aud: 'somebody-else' } }),
    'no audience': () => provider.sign(pair, { claims: { aud: undefined } }),
    'expired longer ago than the leeway': () => provider.sign(pair, { expiresIn: -70 }),
    'no expiry': () => provider.sign(pair, { claims: { exp: undefined } }),
    'not valid yet': () => provider.sign(pair, { claims: { nbf: now() + 120 } }),
    'no subject': () => provider.sign(pair, { claims: { sub: undefined } }),
    'empty subject': () => provider.sign(pair, { claims: { sub: '' } }),
    'subject with a NUL': () => provider.sign(pair, { claims: { sub: 'a\0b' } }),
    'subject with half of a surrogate pair': () => provider.sign(pair, { claims: { sub: 'a\ud83e' } }),
    'short RSA key': async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
      const { createSign } = await import('node:crypto')
      const text = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(payload())}`
      return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
    },
    'not JSON inside': () => 'bm90.anNvbg.AAAA',
    'three dots and nothing': () => '..',
  }
  test.each(Object.entries(forgeries))('%s: 401', async (_name, forge) => {
    const { status, body } = await handshake(await forge())

    expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthenticated' })
  })
})

describe('operations that do not accept an identity token', () => {
  test.each([
    ['GET', '/api/crm/v1/contacts'],
    ['GET', '/api/auth/session'],
    ['GET', '/api/dashboard'],
  ])('%s %s: 401', async (method, path) => {
    const { status } = await app.rest(method, path, { headers: { authorization: `Bearer ${await provider.sign(pair)}` } })

    expect(status).toBe(401)
  })

  test('GraphQL refuses it, also for createSession', async () => {
    const headers = { authorization: `Bearer ${await provider.sign(pair)}` }

    for (const document of ['{ me { userId } }', 'mutation { createSession { sessionToken } }']) {
      const { status, body } = await app.graphql(document, undefined, { headers })
      expect([status, body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED'])
    }
  })
})

describe("the provider's keys", () => {
  test('a rotated key is fetched once and accepted at once; invented ones do not cause further fetches', async () => {
    const own = await startProvider()
    const first = await own.rotate('first')
    const fresh = await startApp({ env: outside(own) })
    try {
      expect((await handshake(await own.sign(first, { kid: 'first' }), fresh)).status).toBeLessThan(300)
      expect(own.reads()).toBe(1)

      const second = await own.rotate('second')
      const token = await own.sign(second, { kid: 'second' })
      for (let i = 0; i < 5; i++) expect((await handshake(token, fresh)).status).toBeLessThan(300)
      expect(own.reads()).toBe(2)

      for (let i = 0; i < 10; i++) expect((await handshake(await own.sign(first, { kid: `invented-${i}` }), fresh)).status).toBe(401)
      expect(own.reads()).toBe(2)
    } finally {
      await fresh.close()
      await own.stop()
    }
  })

  test('while the provider is unavailable, known keys are accepted and unknown ones are 401', async () => {
    const own = await startProvider()
    const key = await own.rotate('known')
    const fresh = await startApp({ env: outside(own) })
    try {
      expect((await handshake(await own.sign(key, { kid: 'known' }), fresh)).status).toBeLessThan(300)
      own.setDown(true)

      expect((await handshake(await own.sign(key, { kid: 'known' }), fresh)).status).toBeLessThan(300)
      expect((await handshake(await own.sign(key, { kid: 'unknown' }), fresh)).status).toBe(401)
      expect((await handshake(await own.sign(key, { kid: 'known' }), fresh)).status).toBeLessThan(300)
    } finally {
      await fresh.close()
      await own.stop()
    }
  })

  test('503 while the provider has never been reached; afterwards its tokens are accepted', async () => {
    const own = await startProvider()
    const key = await own.rotate('known')
    own.setDown(true)
    const fresh = await startApp({ env: outside(own) })
    try {
      const { status, headers } = await handshake(await own.sign(key, { kid: 'known' }), fresh)
      expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '5' })

      own.setDown(false)
      expect((await handshake(await own.sign(key, { kid: 'known' }), fresh)).status).toBeLessThan(300)
    } finally {
      await fresh.close()
      await own.stop()
    }
  })
})
