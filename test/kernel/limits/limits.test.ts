// Limits per network, over minutes.

import { expect, test } from 'vitest'
import { readConfig } from '../../../src/config/environment.ts'
import { signIns, signUps } from '../../../src/identity/provider/request-limits.ts'
import { createNetworkLimits } from '../../../src/kernel/limits/limits.ts'

const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgresql://nobody@127.0.0.1/none' })
const given = () => {
  let seconds = 0
  const limits = createNetworkLimits(config, () => seconds * 1000)
  return { count: limits.count, pass: (more: number) => void (seconds += more) }
}

test('an office that signs in steadily, below the limit, is never refused', () => {
  const { count, pass } = given()
  const answers: unknown[] = []
  for (let n = 0; n < 150; n++) {
    answers.push(count(signIns, '203.0.113.7'))
    pass(4)
  }
  expect(answers).toEqual(Array(150).fill(null))
})

test('requests above the limit are refused until the minute is over; other networks and other limits are free', () => {
  const { count, pass } = given()
  for (let n = 0; n < 20; n++) expect(count(signIns, '203.0.113.7')).toBe(null)
  pass(20)
  expect([count(signIns, '203.0.113.7'), count(signIns, '203.0.113.8'), count(signUps, '203.0.113.7')]).toEqual([40, null, null])
  pass(40)
  expect(count(signIns, '203.0.113.7')).toBe(null)
})

test('ten thousand other networks are remembered, and no more', () => {
  const { count } = given()
  for (let n = 0; n < 21; n++) count(signIns, '203.0.113.7')
  for (let n = 0; n < 9_999; n++) count(signIns, `2001:db8:1:${n.toString(16)}::1`)
  expect(count(signIns, '203.0.113.7')).toBe(60)
  for (let n = 0; n < 10_000; n++) count(signIns, `2001:db8:2:${n.toString(16)}::1`)
  expect(count(signIns, '203.0.113.7')).toBe(null)
})
