// /docs and /openapi.json: served with all assets from this origin.

import { describe, expect, test } from 'vitest'
import { statusOf } from '../../src/kernel/errors.ts'
import { guideAddresses } from '../../src/rest/docs/guides.ts'
import { openapi } from '../../src/rest/openapi/openapi.ts'
import { openApp } from '../support/app.ts'

const app = await openApp()

test('405 for writes to read-only pages', async () => {
  for (const path of ['/docs', '/openapi.json', '/healthz', '/metrics']) {
    const { status, headers } = await app.rest('POST', path)
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD'])
  }
})

describe('/docs', () => {
  test('the page loads everything from this origin, and its Content-Security-Policy allows it', async () => {
    const page = await app.rest('GET', '/docs')

    const loaded = [...page.body.matchAll(/(?:src|<link[^>]*href)="([^"]+)"/g)].map(([, address]) => address)
    expect(page.status).toBe(200)
    expect(page.body).not.toMatch(/<script(?![^>]*src=)|\son\w+=|<style|style="/)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'self'/)
    expect(loaded.length).toBeGreaterThan(3)
    for (const address of loaded) {
      expect(address).toMatch(/^\/[^/]/)
      expect((await app.rest('GET', address)).status).toBe(200)
    }
  })

  test("the package's own pages are not served", async () => {
    for (const address of ['/docs/swagger/index.html', '/docs/swagger/package.json', '/docs/swagger/../../package.json', '/docs/index.js'])
      expect((await app.rest('GET', address)).status).toBe(404)
  })

  test('every code has an anchor on the page of errors', async () => {
    const { status, body } = await app.rest('GET', '/docs/errors')

    expect(status).toBe(200)
    for (const code of Object.keys(statusOf)) expect(body).toContain(`id="${code.toLowerCase()}"`)
  })
})

describe('/openapi.json', () => {
  test('200: the document; 304 if the ETag matches', async () => {
    const { status, headers, body } = await app.rest('GET', '/openapi.json')
    const again = await app.rest('GET', '/openapi.json', { headers: { 'If-None-Match': headers.get('etag') ?? '' } })

    expect([status, again.status]).toEqual([200, 304])
    expect(body).toEqual(openapi())
  })
})

describe('/docs/guides', () => {
  test('every guide is a page, and its links lead to existing headings and pages', async () => {
    const pages = new Map<string, string>()
    for (const address of guideAddresses) {
      const { status, body, headers } = await app.rest('GET', address)
      expect([address, status, headers.get('content-type')]).toEqual([address, 200, 'text/html; charset=utf-8'])
      expect(body).not.toMatch(/<script|\son\w+=|<style|style="/)
      pages.set(address, body)
    }

    const broken: string[] = []
    for (const [address, body] of pages)
      for (const [, href = ''] of body.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const [path = '', anchor] = href.split('#')
        // The web app's, and other sites'.
        if (path === '/' || /^https?:/.test(path)) continue
        const target = path === '' ? body : pages.get(path)
        const isThere = target ? anchor === undefined || target.includes(`id="${anchor}"`) : (await app.rest('GET', path)).status !== 404
        if (!isThere) broken.push(`${address}: ${href}`)
      }
    expect(broken).toEqual([])
  })

  test('404 for an unknown guide, 405 for a write', async () => {
    const [unknown, write] = await Promise.all([app.rest('GET', '/docs/guides/none'), app.rest('POST', '/docs/guides/voice')])

    expect([unknown.status, write.status]).toEqual([404, 405])
  })
})
