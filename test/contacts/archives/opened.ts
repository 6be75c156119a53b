// Archives as their owner asks for them, and opens them.

import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import type { Json, TestApp } from '../../support/app.ts'

export const create = 'mutation { createArchive { id status } }'
export const link = 'mutation { createArchiveDownload { url fileName } }'
export const latest = '{ archive { id status statusReason rowCount byteCount createdAt finishedAt expiresAt } }'

export const rowsOf = (text = ''): Record<string, string>[] => parse(text, { columns: true })

export function archivesOf(app: TestApp) {
  /** The data of an answer, or the code of its error. */
  const asks = async (session: string | undefined, text: string, key?: string): Promise<Json> => {
    const { body } = await app.graphql(text, {}, { ...(session && { session }), ...(key && { key }) })
    return body.errors?.[0].extensions.code ?? body.data
  }
  return {
    asks,
    /** The latest archive, once it is ready. */
    async ready(session: string, timeout = 30_000): Promise<Json> {
      let archive: Json
      const status = async () => {
        archive = (await asks(session, latest)).archive
        return archive.status
      }
      await expect.poll(status, { timeout, interval: 50 }).toBe('READY')
      return archive
    },
    /** The files of the latest archive by name, as text. */
    async opened(session: string): Promise<Record<string, string>> {
      const { url } = (await asks(session, link)).createArchiveDownload
      const answer = await fetch(url, { headers: { connection: 'close' } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
      const bytes = Buffer.from(await answer.arrayBuffer())
      const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true, autoClose: false })
      const texts: Record<string, string> = {}
      for await (const entry of zip.eachEntry()) {
        const parts: Buffer[] = []
        for await (const part of await zip.openReadStreamPromise(entry, {})) parts.push(part as Buffer)
        texts[entry.fileName] = Buffer.concat(parts).toString()
      }
      return texts
    },
  }
}
