// Traces for an OpenTelemetry collector: spans are queued, and sent by OTLP over HTTP. Spans that cannot be sent or queued are dropped.

import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Config } from '../../config/environment.ts'
import { release } from '../../config/release.ts'
import { collectorOf } from '../../config/tracing.ts'
import { userAgent } from '../../config/user-agent.ts'
import { beginSpan } from '../../kernel/tracing/span.ts'
import { type Tracing, untraced } from '../../kernel/tracing/tracing.ts'

// The time that stop() waits for a collector that does not answer.
const lastExportMs = 1_000

/** Loads the OpenTelemetry SDK only if a collector is configured. Its failures are logged, and affect nothing else. */
export async function startTracing(config: Config, log: Logger): Promise<Tracing> {
  const url = collectorOf(config)
  if (url === undefined) return untraced
  const [{ ROOT_CONTEXT, trace }, { parseKeyPairsIntoRecord, parseTraceParent }, { resourceFromAttributes }, sdk, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])

  const exporter = new OTLPTraceExporter({ url, headers: parseKeyPairsIntoRecord(config.OTEL_EXPORTER_OTLP_HEADERS), userAgent })
  let isFailing = false
  // The SDK reports failures only to a logger of its own.
  const reporting: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, result => {
        if (result.error && !isFailing)
          log.warn({ err: result.error }, 'traces cannot be sent to the collector; they are dropped until they can')
        isFailing = result.error !== undefined
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'rolocom',
      'service.version': release,
      ...parseKeyPairsIntoRecord(config.OTEL_RESOURCE_ATTRIBUTES),
      ...(config.OTEL_SERVICE_NAME !== undefined && { 'service.name': config.OTEL_SERVICE_NAME }),
    }),
    sampler: samplerOf(config, sdk),
    // Queues at most 2048 spans, and sends them every 5 s or when there are 512.
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: reporting })],
  })
  // Not registered as the process's own: libraries would add spans with attributes that are not ours to check.
  const tracer = provider.getTracer('rolocom', release)

  return {
    begin(about, traceparent) {
      const remote = traceparent === undefined ? null : parseTraceParent(traceparent)
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT
      return beginSpan(tracer, parent, about())
    },
    async stop() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, lastExportMs)
      await Promise.race([provider.shutdown().catch(() => {}), late.promise])
      clearTimeout(timer)
    },
  }
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config, sdk: typeof import('@opentelemetry/sdk-trace')) {
  const root = name.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio)
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}
