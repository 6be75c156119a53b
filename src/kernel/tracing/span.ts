// Spans of OpenTelemetry. Each runs some work; spans that begin in this work have it as their parent. Where nothing is traced, only the work
// is run.
//
// Spans are begun by hand in the few places that all requests, operations, statements, tasks and outgoing requests pass. Names and
// attributes follow the semantic conventions. None holds what users send or store: no query string, variable, parameter, body, credential
// or error message.

import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context as OpenTelemetryContext,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** Attributes of a span. */
export interface About {
  name: string
  /** Default: internal. */
  kind?: SpanKind
  attributes?: Attributes
}

/** A span that has begun, and the tracer for those below it. */
export interface Active {
  span: Span
  context: OpenTelemetryContext
  tracer: Tracer
}

const active = new AsyncLocalStorage<Active | undefined>()

/** The current span; undefined where nothing is traced. */
export const activeSpan = (): Active | undefined => active.getStore()

/** Runs the work with `span` as the current span, or with none. For work that may begin in a callback of another request. */
export const withSpan = <Result>(span: Active | undefined, work: () => Result): Result =>
  active.getStore() === span ? work() : active.run(span, work)

/** Runs the work in a span below the current one. Without a current one the work gets undefined. */
export function inSpan<Result>(about: () => About, work: (span: Span | undefined) => Promise<Result>): Promise<Result> {
  const parent = active.getStore()
  return parent ? runInSpan(beginSpan(parent.tracer, parent.context, about()), work) : work(undefined)
}

export function beginSpan(tracer: Tracer, parent: OpenTelemetryContext, { name, ...options }: About): Active {
  const span = tracer.startSpan(name, options, parent)
  return { span, context: trace.setSpan(parent, span), tracer }
}

/** Runs the work in the span, and ends the span with it. */
export async function runInSpan<Result>(begun: Active, work: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    return await active.run(begun, work, begun.span)
  } catch (error) {
    markFailed(begun.span, kindOf(error))
    throw error
  } finally {
    begun.span.end()
  }
}

/** `kind`: a code or class of errors. A message is not shown, since it may contain what a user sent. */
export function markFailed(span: Span, kind: string): void {
  span.setAttribute('error.type', kind).setStatus({ code: SpanStatusCode.ERROR })
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const { failure, code } = error as { failure?: unknown; code?: unknown }
  if (typeof failure === 'string') return failure
  return typeof code === 'string' ? code : error.name
}

/** The header by which the receiver of a request continues the trace. Empty where nothing is traced. */
export function traceHeaders(): { traceparent?: string } {
  const current = active.getStore()
  if (!current) return {}
  const { traceId, spanId, traceFlags } = current.span.spanContext()
  return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` }
}

/** The fields of log lines that name the trace, as collectors of logs expect them. Empty where nothing is traced. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const current = active.getStore()
  if (!current) return {}
  const { traceId, spanId } = current.span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}
