// What /metrics tells (Prometheus): requests, operations, statements, pool, event loop, queue depth.

import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Tasks } from './tasks.ts'

export interface Metrics {
  request(door: string, method: string, status: number, seconds: number): void
  /** `whose`: a stored document of ours, or what a known caller or a stranger sent, whose names for it are nobody else's business. */
  operation(name: string, whose: 'ours' | 'caller' | 'stranger', outcome: 'ok' | 'error', seconds: number): void
  statement(): void
  /** The text of all metrics. */
  text(): Promise<string>
  contentType: string
  observe(sources: { pool: pg.Pool; tasks: Tasks; jobs(): Promise<{ state: string; jobs: number }[]> }): void
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Histogram({
    name: 'rolocom_http_request_seconds',
    help: 'Requests by door, method and status.',
    labelNames: ['door', 'method', 'status'],
    buckets,
    registers,
  })
  const operations = new Histogram({
    name: 'rolocom_operation_seconds',
    help: 'GraphQL operations through any door: by name where they are ours, else as caller or stranger.',
    labelNames: ['operation', 'outcome'],
    buckets,
    registers,
  })
  const statements = new Counter({ name: 'rolocom_database_statements_total', help: 'Statements sent to PostgreSQL.', registers })

  return {
    request: (door, method, status, seconds) => requests.labels(door, method, String(status)).observe(seconds),
    operation(name, whose, outcome, seconds) {
      operations.labels(whose === 'ours' ? name : whose, outcome).observe(seconds)
    },
    statement: () => statements.inc(),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    observe({ pool, tasks, jobs }) {
      new Gauge({
        name: 'rolocom_database_connections',
        help: 'Connections of the pool by state.',
        labelNames: ['state'],
        registers,
        collect() {
          this.set({ state: 'idle' }, pool.idleCount)
          this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
          this.set({ state: 'waiting' }, pool.waitingCount)
        },
      })
      new Gauge({
        name: 'rolocom_tasks_waiting',
        help: 'Tasks waiting in the queue, by name.',
        labelNames: ['task'],
        registers,
        async collect() {
          this.reset()
          for (const { name, waiting } of await tasks.depths().catch(() => [])) this.set({ task: name }, waiting)
        },
      })
      new Gauge({
        name: 'rolocom_enrichment_jobs',
        help: 'Enrichment jobs by state: waiting, running, or dead (given up, until they are retried or forgotten).',
        labelNames: ['state'],
        registers,
        async collect() {
          this.reset()
          for (const { state, jobs: count } of await jobs().catch(() => [])) this.set({ state }, count)
        },
      })
    },
  }
}
