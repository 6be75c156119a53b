// Deletes rows past their retention, with the statements that each domain declares.

import { bulkRetention } from '../../contacts/bulk/bulk.sql.ts'
import { importRetention } from '../../contacts/imports/import.sql.ts'
import { mergeRetention } from '../../contacts/merge/merge.sql.ts'
import { enrichmentRetention } from '../../enrichment/retention.sql.ts'
import { gatewayRetention } from '../../gateway/retention.sql.ts'
import { identityRetention } from '../../identity/retention.sql.ts'
import type { Services } from '../../kernel/context.ts'
import { kernelRetention, pruneSlice } from '../../kernel/retention.sql.ts'
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
}

/** Resolves with the number of deleted rows by kind. */
export async function applyRetention({ database, config, now }: Services, signal?: AbortSignal): Promise<Record<string, number>> {
  const pruned: Record<string, number> = {}
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
