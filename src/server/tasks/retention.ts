// Deletes rows past their retention, with the statements that each domain declares, and keeps the partitions of months.

import { bulkRetention } from '../../contacts/bulk/bulk.sql.ts'
import { importRetention } from '../../contacts/imports/import.sql.ts'
import { mergeRetention } from '../../contacts/merge/merge.sql.ts'
import { enrichmentRetention } from '../../enrichment/retention.sql.ts'
import { gatewayRetention } from '../../gateway/retention.sql.ts'
import { identityRetention } from '../../identity/retention.sql.ts'
import type { Services } from '../../kernel/context.ts'
import { addMonth, dropPastMonth, kernelRetention, monthly, pruneSlice } from '../../kernel/retention.sql.ts'
import { voiceRetention } from '../../voice/retention.sql.ts'
import { webhookRetention } from '../../webhooks/retention.sql.ts'

const retention = {
  ...kernelRetention,
  ...importRetention,
  ...mergeRetention,
  ...bulkRetention,
  ...identityRetention,
  ...gatewayRetention,
  ...enrichmentRetention,
  ...webhookRetention,
  ...voiceRetention,
}

/** Resolves with the number of deleted rows by kind, and of dropped partitions by table. */
export async function applyRetention(services: Services, signal?: AbortSignal): Promise<Record<string, number>> {
  const { database, config, now } = services
  const pruned = await turnMonths(services)
  for (const [kind, { statement, keptMs }] of Object.entries(retention)) {
    const before = new Date(now().getTime() - keptMs(config)).toISOString()
    pruned[kind] = 0
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
 * Drops the partitions that are past their retention, and adds those of this month and the next. What a long reader
 * prevents is done an hour later.
 */
async function turnMonths({ database, config, now, log }: Services): Promise<Record<string, number>> {
  const dropped: Record<string, number> = {}
  for (const [table, keptMs] of Object.entries(monthly)) {
    const time = now()
    for (const ahead of [0, 1]) {
      const month = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + ahead, 1))
      const [added] = await database.query(addMonth, [table, month.toISOString()])
      if (!added?.isThere) log.warn({ table, month }, 'a partition could not be added: the table is being read')
    }
    const kind = `${table}Partitions`
    dropped[kind] = 0
    while ((await database.query(dropPastMonth, [table, new Date(time.getTime() - keptMs(config)).toISOString()]))[0]?.dropped)
      dropped[kind]++
  }
  return dropped
}
