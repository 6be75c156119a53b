// Stores the body of an upload as it arrives.

import type { Request } from 'express'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { deleteUpload, maxUploadBytes, storeUpload, uploadTooLarge } from '../../kernel/uploads/upload.ts'

// The types that browsers and curl send for CSV, workbooks and vCards. On Windows, CSV is registered as a type of Excel. The bytes tell the kind.
const types =
  /^(text\/(csv|plain|tab-separated-values|vcard|x-vcard|directory)|application\/(csv|octet-stream|vnd\.ms-excel|vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet))\s*(;|$)/i

/** Stores the body of a request with the variables and the parameters `sent`; resolves with the id of the upload. Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or INVALID for no body. */
export async function storeFile(req: Request, context: Context, variables: object, sent: object): Promise<string> {
  const { headers } = req
  try {
    checkHeaders(headers)
    const { id, hash } = await storeUpload(context, arriving(req))
    // A repeated request uploads the file again. It is the same request if the bytes are equal.
    if (context.idempotency)
      Object.assign(context.idempotency, { sent: { ...sent, body: hash }, formerly: JSON.stringify([hash, variables]) })
    return id
  } catch (error) {
    // The rest of the body is discarded, so that the client receives the answer.
    req.resume()
    throw error
  }
}

function checkHeaders(headers: Request['headers']): void {
  const type = headers['content-type'] ?? ''
  if (/^multipart\//i.test(type))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be the file itself, sent as text/csv, not a form with it')
  if (!types.test(type))
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be a file of CSV, a workbook of Excel (.xlsx) or vCards, sent with its type such as text/csv',
    )
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The body must be sent as it is, not encoded with ${encoding.slice(0, 40)}`)
  if (Number(headers['content-length']) > maxUploadBytes) throw uploadTooLarge()
}

// A generator around the request, because ending the request's own iterator early would close the connection before the answer is sent.
async function* arriving(req: Request): AsyncGenerator<Buffer> {
  try {
    for await (const part of req.iterator({ destroyOnReturn: false })) yield part as Buffer
  } catch {
    throw new AppError('INVALID', 'The body did not arrive completely')
  }
}

/**
 * Runs the operation, and then deletes the upload unless the operation has used it. It has not when it failed, was a dry run, or was
 * answered from the store.
 */
export async function keepIfUsed<Result>(ran: Promise<Result>, context: Context, uploadId: string): Promise<Result> {
  let isUsed = false
  try {
    const result = await ran
    isUsed = !context.idempotency?.replayed && !context.dryRun
    return result
  } finally {
    if (!isUsed) await deleteUpload(context, uploadId)
  }
}
