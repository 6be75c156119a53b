// A client with an API key of an organization of its own.

import { type Client, type ClientOptions, createClient } from 'rolocom/client'
import type { TestApp } from '../support/app.ts'

export async function keyed(app: TestApp, options: Partial<ClientOptions> = {}): Promise<{ client: Client; key: string; orgId: string }> {
  const { key, orgId } = await app.given.apiKey()
  return { client: createClient({ url: app.url, key, ...options }), key, orgId }
}
