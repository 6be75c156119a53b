// Spans of outgoing HTTP requests, and the header that passes the trace on to the receiver.

import { SpanKind } from '@opentelemetry/api'
import { inSpan, markFailed, traceHeaders } from '../tracing/span.ts'

/**
 * Sends a request in a span. `send` adds the given headers to its own. Only the host is shown: paths and queries contain tokens, as in
 * the addresses of Slack and Telegram.
 */
export function inRequestSpan<Answer extends { status: number }>(
  url: string,
  method: string,
  send: (headers: { traceparent?: string }) => Promise<Answer>,
): Promise<Answer> {
  return inSpan(
    () => ({ name: method, kind: SpanKind.CLIENT, attributes: { 'http.request.method': method, ...placeOf(url) } }),
    async span => {
      const answer = await send(traceHeaders())
      span?.setAttribute('http.response.status_code', answer.status)
      if (span && answer.status >= 400) markFailed(span, String(answer.status))
      return answer
    },
  )
}

function placeOf(url: string) {
  if (!URL.canParse(url)) return {}
  const { protocol, hostname, port } = new URL(url)
  return {
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  }
}
