// Ids of rows and requests.

import { validate, version } from 'uuid'
import { describe, expect, test } from 'vitest'
import { newId } from '../../src/kernel/ids.ts'

describe('newId', () => {
  // More than one for each millisecond.
  const before = Date.now()
  const ids = Array.from({ length: 20_000 }, newId)
  const after = Date.now()

  test('makes UUIDs of version 7 with the time of their making', () => {
    expect(ids.filter(id => !validate(id) || version(id) !== 7)).toEqual([])
    const times = ids.map(id => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
    expect(times[0]).toBeGreaterThanOrEqual(before)
    expect(times.at(-1)).toBeLessThanOrEqual(after)
  })

  test('makes each greater than the one before, also within a millisecond', () => {
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('makes ids whose last 42 bits are random', () => {
    expect(new Set(ids.map(id => id.slice(-10))).size).toBeGreaterThan(19_900)
  })
})
