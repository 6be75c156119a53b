// Sends a file for a one-use link. The token in the address is the credential, so that a browser can follow the link.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Services } from '../../kernel/context.ts'
import { type DownloadSources, openDownload } from '../../kernel/downloads/download.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Limit } from '../../server/rate-limit.ts'
import { sendFailure } from './answer.ts'

interface Options {
  services: Services
  downloads: DownloadSources
  limit?: Limit
}

// A client that reads nothing for so long is disconnected.
const silenceMs = 30_000

export function downloadEndpoint({ services, downloads, limit }: Options) {
  return async (req: Request, res: Response): Promise<void> => {
    const { log } = services
    res.locals.operation = 'download'
    res.setHeader('Cache-Control', 'no-store')
    try {
      await limit?.(req, res, { kind: 'anonymous' }, 'read')
      const { fileName, content } = await openDownload(services, downloads, String(req.params.token), req.id)
      const parts = content[Symbol.asyncIterator]()
      // Before the header: an error of the first part is then an answer of its own.
      const first = await parts.next()
      res.writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${fileName}"` })
      res.setTimeout(silenceMs, () => res.destroy())
      // 1: reads one part ahead of the client.
      await pipeline(Readable.from(following(first, parts), { highWaterMark: 1 }), res)
    } catch (error) {
      if (res.headersSent) {
        // The client sees a connection that breaks off, so it does not take a part for the whole.
        if (!res.destroyed) res.destroy()
        log.warn({ err: error, requestId: req.id }, 'a download broke off')
      } else if (error instanceof AppError) sendFailure(req, res, error)
      else {
        log.error({ err: error, requestId: req.id }, 'unexpected error')
        sendFailure(req, res, new AppError('INTERNAL', 'Unexpected error'))
      }
    }
  }
}

async function* following(first: IteratorResult<string>, parts: AsyncIterator<string>): AsyncGenerator<string> {
  if (!first.done) yield first.value
  for (;;) {
    const next = await parts.next()
    if (next.done) return
    yield next.value
  }
}
