// An HTTP data source for tests, and recipes that use it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stringify } from 'yaml'
import { type Json, startApp } from '../support/app.ts'

/** A request that the source received. */
interface Asked {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

type Answer = (asked: Asked, res: ServerResponse) => void | Promise<void>

const json = (content: unknown, status = 200): Answer => {
  return (_asked, res) => void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
}

/** A local server with configurable responses per path. */
export async function startSource() {
  const answers = new Map<string, Answer>()
  const asked: Asked[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', chunk => chunks.push(chunk))
    req.on('end', async () => {
      const question = { method: req.method ?? '', url: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() }
      asked.push(question)
      const answer = answers.get(question.url.split('?')[0] ?? '') ?? json({ error: 'nothing here' }, 404)
      await answer(question, res)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** Responds with JSON at a path. */
    says: (at: string, content: unknown, status?: number) => void answers.set(at, json(content, status)),
    does: (at: string, answer: Answer) => void answers.set(at, answer),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** An app with the given recipes and a worker that may send requests to 127.0.0.1. */
export async function startEnriching(recipes: Json[], env: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'recipes-'))
  for (const recipe of recipes) writeFileSync(path.join(folder, `${recipe.name}.yaml`), stringify(recipe))
  const app = await startApp({
    env: { ROLES: 'web,api,session,worker', ENRICHMENT_RECIPES: folder, OUTGOING_ALLOW_PRIVATE: '127.0.0.1', ...env },
  })
  return {
    ...app,
    async close() {
      await app.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A recipe that reads a contact from the source's /lookup. */
export const lookup = (url: string, more: Json = {}, step: Json = {}): Json => ({
  name: 'lookup',
  version: 1,
  title: 'Lookup',
  steps: [
    {
      id: 'lookup',
      provider: 'http',
      fields: ['job_title', 'city', 'company_name', 'phone', 'email'],
      with: {
        url: `${url}/lookup`,
        query: { id: '{{target.id}}' },
        confidence: { path: 'sure', out_of: 1 },
        source_url: 'source',
        map: { job_title: 'job', city: 'city', company_name: 'company', phone: 'phone', email: 'email' },
      },
      ...step,
    },
  ],
  ...more,
})
