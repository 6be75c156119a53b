// Uploads and imports files in tests of imports.

import { expect } from 'vitest'
import type { Json, TestApp } from '../../support/app.ts'

export const imports = '/api/crm/v1/imports'

export function importsIn(app: TestApp) {
  async function upload(key: string, file: string | Buffer, query = '', headers: Record<string, string> = {}) {
    const response = await fetch(`${app.url}${imports}${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', ...headers },
      body: file as never,
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
  }
  const uploaded = async (key: string, file: string | Buffer, query = ''): Promise<Json> => {
    const answer = await upload(key, file, query)
    expect(answer).toMatchObject({ status: 201 })
    return answer.body
  }
  async function ended(key: string, id: string): Promise<Json> {
    let last: Json
    await expect
      .poll(
        async () => {
          last = (await app.rest('GET', `${imports}/${id}`, { key })).body
          return last.status
        },
        { timeout: 30_000, interval: 50 },
      )
      .not.toMatch(/queued|running/)
    return last
  }
  async function imported(key: string, file: string | Buffer, start: object = {}): Promise<Json> {
    const { id } = await uploaded(key, file)
    const started = await app.rest('POST', `${imports}/${id}/start`, { key, body: start })
    expect(started.status).toBe(202)
    return ended(key, id)
  }
  const report = async (key: string, id: string) => {
    const { body } = await app.rest('POST', `${imports}/${id}/report`, { key })
    return (await fetch(body.url)).text()
  }
  const contacts = async (key: string): Promise<Json[]> => (await app.rest('GET', '/api/crm/v1/contacts?sort=email', { key })).body.data
  return { upload, uploaded, ended, imported, report, contacts }
}
