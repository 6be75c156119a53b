// /docs and /openapi.json: served whole from here.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statusOf } from '../../src/errors.ts'
import { openapi } from '../../src/rest/openapi.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('405 where something is only looked at', async () => {
  for (const path of ['/', '/docs', '/openapi.json', '/healthz', '/metrics']) {
    const { status, headers } = await app.rest('POST', path)
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD'])
  }
})

describe('/docs', () => {
  test('everything the page loads comes from here, and its policy lets it run', async () => {
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

  test('every code has its place on the page of errors', async () => {
    const { status, body } = await app.rest('GET', '/docs/errors')

    expect(status).toBe(200)
    for (const code of Object.keys(statusOf)) expect(body).toContain(`id="${code.toLowerCase()}"`)
  })
})

describe('/openapi.json', () => {
  test('200: the document; 304 when it is known', async () => {
    const { status, headers, body } = await app.rest('GET', '/openapi.json')
    const again = await app.rest('GET', '/openapi.json', { headers: { 'If-None-Match': headers.get('etag') ?? '' } })

    expect([status, again.status]).toEqual([200, 304])
    expect(body).toEqual(openapi())
  })
})
