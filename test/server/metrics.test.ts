// What /metrics keeps apart.

import { expect, test } from 'vitest'
import { createMetrics } from '../../src/metrics.ts'

test('operations of ours have their names, and those that callers make up are not repeated', async () => {
  const metrics = createMetrics()
  for (let n = 0; n < 300; n++) metrics.operation(`Strange${n}`, 'stranger', 'ok', 0.001)
  for (let n = 0; n < 300; n++) metrics.operation(`Mine${n}`, 'caller', 'ok', 0.001)
  metrics.operation('ListContacts', 'ours', 'ok', 0.001)

  const text = await metrics.text()
  const counts = [...text.matchAll(/^rolocom_operation_duration_seconds_count\{operation="(\w+)",outcome="ok"\} (\d+)$/gm)]
  const named = new Map(counts.map(([, name, count]) => [name, Number(count)]))

  expect(Object.fromEntries(named)).toEqual({ ListContacts: 1, caller: 300, stranger: 300 })
})
