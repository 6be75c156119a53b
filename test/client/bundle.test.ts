// rolocom/client as a page or an edge function loads it: small, whole, and with no more than the globals of the web.

import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openApp } from '../support/app.ts'
import { bundled } from './bundled.ts'

const app = await openApp()

test.each([
  ['client.ts', 15_000],
  ['live.ts', 5_000],
])('%s is below %i bytes of gzip', async (entry, maxBytes) => {
  const code = await bundled(entry)

  expect(gzipSync(code).byteLength).toBeLessThan(maxBytes)
  expect(code).not.toMatch(/\b(require|import)\s*\(|\bprocess\.env\b/)
})

test('it calls, follows and verifies with nothing but the globals of the web', async () => {
  const { key } = await app.given.apiKey()
  const { fetch, Headers, Request, Response, URL, AbortController, AbortSignal, Blob, FormData, TextEncoder, TextDecoder, crypto, atob } =
    globalThis
  const web = {
    fetch,
    Headers,
    Request,
    Response,
    URL,
    AbortController,
    AbortSignal,
    Blob,
    FormData,
    TextEncoder,
    TextDecoder,
    crypto,
    atob,
  }
  const context = createContext({ ...web, setTimeout, clearTimeout, options: { url: app.url, key } })
  for (const entry of ['client.ts', 'live.ts']) runInContext(await bundled(entry), context)

  const found: unknown = await runInContext(
    `(async () => {
      const changes = rolocom_live.follow({ ...options, types: ['CONTACT_CREATED'] })
      const { value: first } = await changes.next()
      const { id } = await rolocom_client.createClient(options).post('/api/crm/v1/contacts', { body: { email: 'web@example.com' } })
      const { value: change } = await changes.next()
      await changes.return()
      const refused = await rolocom_client.verifyWebhook('{}', {}, 'whsec_c2VjcmV0').catch(error => error.code)
      return [first.type, change.type, change.entityId === id, refused]
    })()`,
    context,
  )
  expect(found).toEqual(['FOLLOWING', 'CONTACT_CREATED', true, 'malformed'])
})
