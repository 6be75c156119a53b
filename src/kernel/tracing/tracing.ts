// Traces begin here: with requests, queue items and other work that nothing else in this process has called.

import { type About, type Active, runInSpan } from './span.ts'

export interface Tracing {
  /**
   * Begins a span, which continues the trace of `traceparent` (W3C Trace Context); a malformed one is ignored. The caller ends it. Undefined
   * when tracing is off.
   */
  begin(about: () => About, traceparent?: string): Active | undefined
  /** Sends the spans that have ended to the collector, for at most a second. */
  stop(): Promise<void>
}

export const untraced: Tracing = { begin: () => undefined, stop: async () => {} }

/** Runs the work in a span that begins a trace, or continues the trace of `traceparent`. */
export function inTrace<Result>(tracing: Tracing, about: () => About, work: () => Promise<Result>, traceparent?: string): Promise<Result> {
  const begun = tracing.begin(about, traceparent)
  return begun ? runInSpan(begun, work) : work()
}
