// Spans of SQL statements: named by the statement, or by what its text does to which table. Neither text nor values are shown.

import { SpanKind } from '@opentelemetry/api'
import { activeSpan, inSpan } from '../../kernel/tracing/span.ts'

/** Sends a statement in a span. `name`: the name of a prepared statement, or the text of another. */
export function inStatementSpan<Result>(name: string, send: () => Promise<Result>): Promise<Result> {
  // First, because every statement pays for what follows.
  if (!activeSpan()) return send()
  const summary = /\s/.test(name) ? summaryOf(name) : name
  return inSpan(
    () => ({ name: summary, kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary } }),
    send,
  )
}

const table = /\b(?:from|into|update)\s+(?:only\s+)?((?:"?\w+"?\.)*"?\w+"?)/i

/** Such as `SELECT contacts`, the form of OpenTelemetry's summaries. */
function summaryOf(text: string): string {
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'STATEMENT'
  const name = table
    .exec(text.slice(0, 10_000))?.[1]
    ?.replaceAll('"', '')
    .replace(/^public\./, '')
  return name === undefined ? verb : `${verb} ${name}`
}
