// Deletes rows past their retention, with the statements that each domain declares, and keeps the partitions.

import { archiveRetention } from '../../contacts/archives/write.ts'
import { bulkRetention } from '../../contacts/bulk/bulk.sql.ts'
import { importRetention } from '../../contacts/imports/import.sql.ts'
import { mergeRetention } from '../../contacts/merge/merge.sql.ts'
import { enrichmentRetention } from '../../enrichment/retention.sql.ts'
import { gatewayRetention } from '../../gateway/retention.sql.ts'
import { identityRetention } from '../../identity/retention.sql.ts'
import { inboxRetention } from '../../inbox/retention.sql.ts'
import type { Services } from '../../kernel/context.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { queueItem } from '../../kernel/queue/item.ts'
import {
  addPartition,
  dayMs,
  dropPastPartition,
  kernelPartitioned,
  kernelRetention,
  type Partitioned,
  pruneSlice,
} from '../../kernel/retention.sql.ts'
import { voicePartitioned, voiceRetention } from '../../voice/retention.sql.ts'
import { webhookPartitioned, webhookRetention } from '../../webhooks/retention.sql.ts'

const retention = {
  ...kernelRetention,
  ...archiveRetention,
  ...importRetention,
  ...mergeRetention,
  ...bulkRetention,
  ...identityRetention,
  ...gatewayRetention,
  ...enrichmentRetention,
  ...webhookRetention,
  ...voiceRetention,
  ...inboxRetention,
}

const partitioned: Record<string, Partitioned> = { ...kernelPartitioned, ...webhookPartitioned, ...voicePartitioned }

/** Resolves with the number of deleted rows by kind, and of dropped partitions by table. */
export async function applyRetention(services: Services, signal?: AbortSignal): Promise<Record<string, number>> {
  const { database, config, now } = services
  const pruned = await turnPartitions(services)
  for (const [kind, { statement, keptMs }] of Object.entries(retention)) {
    pruned[kind] = 0
    const kept = keptMs(config)
    if (kept === null) continue
    const before = new Date(now().getTime() - kept).toISOString()
    for (;;) {
      signal?.throwIfAborted()
      const { length } = await database.query(statement, [before])
      pruned[kind] += length
      if (length < pruneSlice) break
    }
  }
  return pruned
}

/**
 * Drops the partitions that are past their retention, and adds the partitions of this month, week or day and the next. If a long reader
 * prevents it, it is done an hour later.
 */
async function turnPartitions({ database, config, now, log }: Services): Promise<Record<string, number>> {
  const dropped: Record<string, number> = {}
  const time = now()
  for (const [name, { table, unit, keptMs, used }] of Object.entries(partitioned)) {
    for (const moment of [time, next[unit](time)]) {
      const [added] = await database.query(addPartition, [table, unit, moment.toISOString()])
      if (!added?.isThere) log.warn({ table, moment }, 'a partition could not be added: the table is being read')
    }
    const kind = `${name}Partitions`
    dropped[kind] = 0
    const kept = keptMs(config)
    if (kept === null) continue
    const before = new Date(time.getTime() - kept).toISOString()
    while ((await database.query(dropPastPartition, [table, before, used?.(before) ?? 'false']))[0]?.dropped) dropped[kind]++
  }
  return dropped
}

export const retentionHandler = handlerOf(
  queueItem('retention', { retryLimit: 2, retryDelaySeconds: 60, timeoutSeconds: 600, concurrency: 1, cron: '17 * * * *' }),
  async (services, { signal }) => services.log.info(await applyRetention(services, signal), 'retention applied'),
)

const next: Record<Partitioned['unit'], (time: Date) => Date> = {
  month: time => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1)),
  week: time => new Date(time.getTime() + 7 * dayMs),
  day: time => new Date(time.getTime() + dayMs),
}
