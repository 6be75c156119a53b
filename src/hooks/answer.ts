// Responses of the hooks: `{ok: true, ...}`, or `{ok: false, error}` with a status.

import type { Response } from 'express'
import { AppError, type Code, statusOf } from '../kernel/errors.ts'

/** Invalid payloads are 400 here, not 422. */
const hookStatusOf: Record<Code, number> = { ...statusOf, INVALID: 400 }

export function sendOk(res: Response, status: number, body: Record<string, unknown>): void {
  send(res, status, { ok: true, ...body })
}

export function sendFailure(res: Response, error: AppError): void {
  const { code, message, extras } = error
  const { allow, retryAfter = waits[code] } = extras
  if (code === 'UNAUTHENTICATED') res.setHeader('WWW-Authenticate', 'Bearer')
  if (typeof allow === 'string') res.setHeader('Allow', allow)
  if (typeof retryAfter === 'number') res.setHeader('Retry-After', Math.max(1, Math.ceil(retryAfter)))
  send(res, hookStatusOf[code], { ok: false, error: message })
}

/** The outcome of a refused request, as it is recorded. */
export const outcomeOf = ({ code, message }: AppError) => ({ status: hookStatusOf[code], error: message })

/** The error as an AppError. The message of an unexpected error is masked. */
export const asFailure = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('INTERNAL', 'Unexpected error', { cause: error })

const waits: Partial<Record<Code, number>> = { IDEMPOTENCY_IN_FLIGHT: 1, RATE_LIMITED: 60, UNAVAILABLE: 1 }

function send(res: Response, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  })
  res.end(text)
}
