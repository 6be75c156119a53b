// Sends a file for a one-use link. The token in the URL is the credential, so that a browser can follow the link.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import type { Services } from '../../kernel/context.ts'
import { openDownload, type Part } from '../../kernel/downloads.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Limit } from '../../server/rate-limit.ts'
import { sendFailure } from './answer.ts'

interface Options {
  services: Services
  limit?: Limit
}

// 30 s: a client that reads nothing for that long is disconnected.
const silenceMs = 30_000

export function downloadEndpoint({ services, limit }: Options) {
  return async (req: Request, res: Response): Promise<void> => {
    const { log } = services
    res.locals.operation = 'download'
    res.setHeader('Cache-Control', 'no-store')
    try {
      await limit?.(req, res, { kind: 'anonymous' }, 'read')
      const { fileName, contentType, content } = await openDownload(services, String(req.params.token), req.id)
      const parts = content[Symbol.asyncIterator]()
      // Read before the header is sent, so that an error of the first part can be answered.
      const first = await parts.next()
      res.writeHead(200, { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${fileName}"` })
      res.setTimeout(silenceMs, () => res.destroy())
      // 1: reads at most one part ahead of the client.
      await pipeline(Readable.from(following(first, parts), { highWaterMark: 1 }), res)
    } catch (error) {
      if (res.headersSent) {
        // The connection is closed, so that the client does not take the sent part for the whole file.
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

async function* following(first: IteratorResult<Part>, parts: AsyncIterator<Part>): AsyncGenerator<Part> {
  if (!first.done) yield first.value
  for (;;) {
    const next = await parts.next()
    if (next.done) return
    yield next.value
  }
}
