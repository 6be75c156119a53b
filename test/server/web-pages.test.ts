// The web app's page and assets, from a build made by hand.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { NoBuild, openWebApp } from '../../src/server/web/app.ts'
import { startApp } from '../support/app.ts'

const script = `console.log(${JSON.stringify('x'.repeat(2000))})`
const root = mkdtempSync(join(tmpdir(), 'rolocom-web-'))
const assets = join(root, 'dist/web/assets')
mkdirSync(assets, { recursive: true })
mkdirSync(join(root, 'dist/web/.vite'))
writeFileSync(
  join(root, 'dist/web/.vite/manifest.json'),
  JSON.stringify({
    'index.html': { file: 'assets/index-a1.js', imports: ['_base-a1.js'], dynamicImports: ['sign-in/screen.tsx', 'app/router.tsx'] },
    '_base-a1.js': { file: 'assets/base-a1.js' },
    '_lists-a1.js': { file: 'assets/lists-a1.js', imports: ['_base-a1.js'], css: ['assets/lists-a1.css'] },
    'app/router.tsx': { file: 'assets/router-a1.js', imports: ['_base-a1.js'] },
    'frame/frame.tsx': { file: 'assets/frame-a1.js', imports: ['_base-a1.js'] },
    'sign-in/screen.tsx': { file: 'assets/sign-in-a1.js', imports: ['_base-a1.js'] },
    'contacts/screen.tsx': { file: 'assets/contacts-a1.js', imports: ['_base-a1.js', '_lists-a1.js'], css: ['assets/lists-a1.css'] },
  }),
)
writeFileSync(join(root, 'dist/web/build.json'), '{}')
writeFileSync(
  join(root, 'dist/web/index.html'),
  '<!doctype html><script type="module" nonce="__CSP_NONCE__" src="/assets/index-a1.js"></script><meta property="csp-nonce" nonce="__CSP_NONCE__"></head><body><p>Rolocom</p><div id="root"></div></body>',
)
writeFileSync(join(assets, 'index-a1.js'), script)
writeFileSync(join(assets, 'index-a1.js.br'), brotliCompressSync(script))
writeFileSync(join(assets, 'index-a1.js.gz'), gzipSync(script))
writeFileSync(join(assets, 'sans-a1.woff2'), 'font')

const app = await startApp({ web: openWebApp({ isProduction: true, log: {} as never, root }) })
afterAll(async () => {
  await app.close()
  rmSync(root, { recursive: true })
})

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const nothing = { status: 404, body: { code: 'not_found' } }

describe('the files of the installed app', () => {
  test.each([
    ['/app.webmanifest', 'application/manifest+json', 'no-cache'],
    ['/service-worker.js', 'text/javascript', 'no-cache'],
    ['/icon-192.png', 'image/png', 'public, max-age=86400'],
    ['/icon-512.png', 'image/png', 'public, max-age=86400'],
    ['/icon-maskable-512.png', 'image/png', 'public, max-age=86400'],
    ['/apple-touch-icon.png', 'image/png', 'public, max-age=86400'],
  ])('%s is served as %s', async (path, type, cached) => {
    const { status, headers } = await app.rest('GET', path)

    expect([status, headers.get('content-type')?.split(';')[0], headers.get('cache-control')]).toEqual([200, type, cached])
  })

  test('the worker may ask this server alone', async () => {
    const { headers } = await app.rest('GET', '/service-worker.js')

    expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  })
})

describe('a page', () => {
  test('carries a nonce of its own, which its policy names, and is not stored', async () => {
    const answers = [await app.rest('GET', '/', { headers: browser }), await app.rest('GET', '/contacts/x', { headers: browser })]

    const nonces = answers.map(({ body }) => [...body.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce))
    expect(new Set(nonces.flat()).size).toBe(2)
    for (const [index, { status, headers }] of answers.entries()) {
      expect([status, headers.get('content-type'), headers.get('cache-control'), headers.get('vary')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
        'Accept',
      ])
      const [nonce] = nonces[index] ?? []
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self' https:; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
      )
    }
  })

  test.each([
    ['/contacts', ['router-a1.js', 'frame-a1.js', 'contacts-a1.js', 'lists-a1.js', 'lists-a1.css']],
    ['/contacts/0193', ['router-a1.js', 'frame-a1.js']],
    ['/sign-in', ['sign-in-a1.js']],
    ['/sign-in/finish', []],
    ['/nothing', []],
  ])('at %s names the files that its scripts will load, with styles after the first painted ones: %j', async (path, files) => {
    const { body } = await app.rest('GET', path, { headers: browser })

    const [head = '', ofBody = ''] = body.split('</head><body><p>Rolocom</p>')
    const linksIn = (text: string) =>
      [...text.matchAll(/<link rel="(\w+)" crossorigin href="\/assets\/([^"]+)">/g)].map(([, rel, file]) => [rel, file])
    const [styles, modules] = [files.filter(file => file.endsWith('.css')), files.filter(file => file.endsWith('.js'))]
    expect(linksIn(head)).toEqual(modules.map(file => ['modulepreload', file]))
    expect(linksIn(ofBody)).toEqual(styles.map(file => ['stylesheet', file]))
    expect(body.endsWith('<div id="root"></div></body>')).toBe(true)
  })

  test('is answered to HEAD, without a body', async () => {
    const { status, body, headers } = await app.rest('HEAD', '/contacts', { headers: browser })
    expect([status, body, headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8'])
  })

  test('is answered at / to programs too, elsewhere to browsers only', async () => {
    for (const accept of ['*/*', 'application/json', 'image/*']) {
      expect(await app.rest('GET', '/', { headers: { accept } })).toMatchObject({ status: 200 })
      expect(await app.rest('GET', '/contacts', { headers: { accept } })).toMatchObject(nothing)
    }
  })

  test('is not answered at addresses of doors and files, or to other methods', async () => {
    for (const path of ['/api/nothing', '/graphql/nothing', '/idp/nothing', '/hooks/nothing', '/metrics/nothing', '/app.js', '/build.json'])
      expect([path, (await app.rest('GET', path, { headers: browser })).status]).toEqual([path, 404])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await app.rest(method, '/contacts', { headers: browser })).toMatchObject(nothing)
      expect(await app.rest(method, '/', { headers: browser })).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    }
  })
})

describe('the page of a widget', () => {
  test('is framed by the origins that its organization lists, and by nobody else', async () => {
    const { session } = await app.given.session()
    const asked = async (query: string) => {
      const { body } = await app.graphql(query, {}, { session })
      expect(body.errors).toBeUndefined()
      return body.data
    }
    const { dashboardWidgets } = await asked('{ dashboardWidgets { id } }')
    const [{ id }] = dashboardWidgets
    await asked(`mutation { createWidgetKey(input: { widgetId: "${id}", label: "Intranet" }) { key } }`)
    const framing = async () => {
      const { headers } = await app.rest('GET', `/widgets/${id}`, { headers: browser })
      const [ancestors] = /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '') ?? []
      return [ancestors, headers.get('x-frame-options')]
    }

    expect(await framing()).toEqual(["frame-ancestors 'none'", null])
    await asked('mutation { setEmbedOrigins(input: { origins: ["https://intranet.example"] }) { embedOrigins } }')
    expect(await framing()).toEqual(['frame-ancestors https://intranet.example', null])
  })
})

describe('an asset', () => {
  // fetch decodes, and sends an Accept-Encoding of its own.
  const raw = (path: string, encoding?: string) =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      request(app.url + path, { headers: encoding === undefined ? {} : { 'accept-encoding': encoding } }, async response => {
        const bytes = Buffer.concat(await response.toArray())
        resolve({ status: response.statusCode, headers: response.headers, bytes })
      })
        .on('error', reject)
        .end()
    })

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliCompressSync(script)],
    ['gzip, br;q=0', 'gzip', gzipSync(script)],
    ['identity', undefined, Buffer.from(script)],
    [undefined, undefined, Buffer.from(script)],
  ])('is sent to Accept-Encoding %s as %s, to be kept for a year', async (encoding, expected, bytes) => {
    const answer = await raw('/assets/index-a1.js', encoding)

    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/i),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(answer.headers['content-encoding']).toBe(expected)
    expect(answer.bytes).toEqual(bytes)
  })

  test('of a compressed format is sent as it is', async () => {
    const answer = await raw('/assets/sans-a1.woff2', 'br')
    expect([answer.status, answer.headers['content-type'], answer.headers['content-encoding'], answer.bytes.toString()]).toEqual([
      200,
      'font/woff2',
      undefined,
      'font',
    ])
  })

  test('that is missing is 404 and never the page', async () => {
    for (const path of ['/assets/index-b2.js', '/assets', '/assets/', '/assets/x/y', '/assets/..%2findex.html'])
      expect([path, (await app.rest('GET', path, { headers: browser })).body]).toMatchObject([path, { status: 404, code: 'not_found' }])
  })
})

describe('while there is no build', () => {
  const log = { info() {}, error() {} } as never

  test('pages wait for it', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const waiting = await startApp({ web: { folder: promise, build() {}, stop() {} } })
    const asked = waiting.rest('GET', '/', { headers: browser })
    const api = await waiting.rest('GET', '/healthz')
    resolve(join(root, 'dist/web'))
    const { status } = await asked
    await waiting.close()

    expect([api.status, status]).toEqual([200, 200])
  })

  test('that could be made, they are 503 and say why, without a script', async () => {
    const { promise, reject } = Promise.withResolvers<string>()
    const failing = await startApp({ web: { folder: promise, build() {}, stop() {} } })
    reject(new NoBuild('The web app could not be built. Run npm run build, which says why'))
    const { status, body } = await failing.rest('GET', '/contacts', { headers: browser })
    const asset = await failing.rest('GET', '/assets/index-a1.js')
    await failing.close()

    expect([status, asset.status]).toEqual([503, 404])
    expect(body).toContain('<p role="status">The web app could not be built. Run npm run build, which says why</p>')
    expect(body).not.toContain('<script')
  })

  test('production does not start, and names the command', () => {
    const sources = mkdtempSync(join(tmpdir(), 'rolocom-sources-'))
    mkdirSync(join(sources, 'src/web'), { recursive: true })
    writeFileSync(join(sources, 'src/web/vite.config.ts'), '')
    const open = () => openWebApp({ isProduction: true, log, root: sources })

    expect(open).toThrow(/^The web app is not built\. Run: npm run build/)
    mkdirSync(join(sources, 'dist/web'), { recursive: true })
    writeFileSync(join(sources, 'dist/web/build.json'), '{"sources":"others"}')
    expect(open).toThrow(/^The web app is older than its sources\. Run: npm run build/)
    rmSync(sources, { recursive: true })
  })
})
