// The labels of /metrics.

import { expect, test } from 'vitest'
import { createMetrics } from '../../src/kernel/metrics.ts'

test('stored operations are labelled with their names, those of callers are not', async () => {
  const metrics = createMetrics()
  for (let n = 0; n < 300; n++) metrics.operation(`Strange${n}`, 'stranger', 'ok', 0.001)
  for (let n = 0; n < 300; n++) metrics.operation(`Mine${n}`, 'caller', 'ok', 0.001)
  metrics.operation('ListContacts', 'ours', 'ok', 0.001)

  const text = await metrics.text()
  const counts = [...text.matchAll(/^rolocom_operation_duration_seconds_count\{operation="(\w+)",outcome="ok"\} (\d+)$/gm)]
  const named = new Map(counts.map(([, name, count]) => [name, Number(count)]))

  expect(Object.fromEntries(named)).toEqual({ ListContacts: 1, caller: 300, stranger: 300 })
})
