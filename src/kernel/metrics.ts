// The metrics at /metrics (Prometheus): build, requests, operations, refusals, statements, subscriptions, and what the process adds.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { release } from '../config/release.ts'

export interface Metrics {
  request(door: string, method: string, status: number, seconds: number): void
  /** `whose`: the author of the document. Only names of our documents, stored or persisted, become labels; names of callers and strangers are not shown. */
  operation(name: string, whose: 'ours' | 'caller' | 'stranger', outcome: 'ok' | 'error', seconds: number): void
  statement(): void
  /** Counts an operation that only reads, by the server that executes it. Only with DATABASE_READ_URLS. */
  read(server: 'replica' | 'primary'): void
  /** Counts a request that the limit `limit` refused. */
  countRefusal(limit: string): void
  /** Counts a subscription that was opened (1) or closed (-1). */
  listener(change: 1 | -1): void
  /** All metrics as text. */
  text(): Promise<string>
  contentType: string
  /** The registries of the metrics, for those that the process adds. */
  registers: Registry[]
  /** Adds a gauge that is 1 while `isSo` resolves with true, and 0 otherwise, failures included. */
  condition(name: string, help: string, isSo: () => Promise<boolean>): void
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Histogram({
    name: 'rolocom_http_request_duration_seconds',
    help: 'Requests by door, method and status.',
    labelNames: ['door', 'method', 'status'],
    buckets,
    registers,
  })
  // From the start, because Prometheus sees no increase in the first value of a series: one failed sign-in would raise no alert.
  for (const door of ['idp', 'claim', 'oauth']) for (const method of ['GET', 'POST']) requests.zero({ door, method, status: '500' })
  const operations = new Histogram({
    name: 'rolocom_operation_duration_seconds',
    help: 'GraphQL operations through any door: by name where they are ours, else as caller or stranger.',
    labelNames: ['operation', 'outcome'],
    buckets,
    registers,
  })
  const statements = new Counter({ name: 'rolocom_database_statements_total', help: 'Statements sent to PostgreSQL.', registers })
  const reads = new Counter({
    name: 'rolocom_reads_total',
    help: 'Lists, stats, searches and dashboards by the server that they were read from; only with DATABASE_READ_URLS.',
    labelNames: ['server'],
    registers,
  })
  const refusals = new Counter({
    name: 'rolocom_refusals_total',
    help: 'Requests refused because there were too many, by limit.',
    labelNames: ['limit'],
    registers,
  })
  for (const limit of limits) refusals.labels(limit).inc(0)
  const listeners = new Gauge({ name: 'rolocom_listeners', help: 'Open subscriptions of this process.', registers })
  new Gauge({ name: 'rolocom_build_info', help: 'Always 1; what runs.', labelNames: ['version', 'node'], registers })
    .labels(release, process.version)
    .set(1)

  return {
    request: (door, method, status, seconds) => requests.labels(door, method, String(status)).observe(seconds),
    operation(name, whose, outcome, seconds) {
      operations.labels(whose === 'ours' ? name : whose, outcome).observe(seconds)
    },
    statement: () => statements.inc(),
    read: server => reads.labels(server).inc(),
    countRefusal: limit => refusals.labels(limit).inc(),
    listener: change => listeners.inc(change),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    registers,
    condition(name, help, isSo) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set((await isSo().catch(() => false)) ? 1 : 0)
        },
      })
    },
  }
}

// Registered at start, so that each limit has a metric before the first refusal.
const limits = ['read', 'write', 'organization-read', 'organization-write', 'repeated', 'authentication', 'forged messages', 'listeners']
