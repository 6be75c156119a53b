// The settings of OpenTelemetry traces, by the names of its specification, and whether they switch tracing on.

import { z } from 'zod'
import { baseAddress, number, oneOf, text, url } from './values.ts'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: baseAddress.optional(),
    meaning:
      'Collector to which OpenTelemetry traces are sent, as JSON over HTTP to its /v1/traces, such as http://127.0.0.1:4318. Absent: no traces.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: url.optional(),
    meaning: "The collector's whole address for traces, in place of the former.",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: text.optional(),
    meaning: 'Headers of requests to the collector, such as its API key: name=value, separated by commas, percent-encoded.',
  },
  OTEL_SERVICE_NAME: { schema: text.optional(), meaning: 'Name of this service in traces.', default: 'rolocom' },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: text.optional(),
    meaning: 'Further attributes of this process in traces, such as deployment.environment.name=staging; written as the headers.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: oneOf(samplers).default('parentbased_always_on'),
    meaning: `Which traces are recorded: ${samplers.join(', ')}. Those with parentbased follow the caller's traceparent.`,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: number(0, 1).default(1),
    meaning: 'The share of traces that a sampler with traceidratio records, from 0 to 1.',
  },
  OTEL_SDK_DISABLED: {
    // Only true disables, by the specification.
    schema: z
      .string()
      .transform(value => value.trim().toLowerCase() === 'true')
      .default(false),
    meaning: 'true switches tracing off, whatever else is set.',
    default: 'false',
  },
}

export type TracingSettings = { [Name in keyof typeof tracingSettings]: z.output<(typeof tracingSettings)[Name]['schema']> }

/** The address to which spans are posted; undefined when tracing is off. */
export function collectorOf(config: Partial<TracingSettings>): string | undefined {
  const { OTEL_SDK_DISABLED, OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = config
  if (OTEL_SDK_DISABLED) return undefined
  return traces ?? (base && `${base}/v1/traces`)
}
