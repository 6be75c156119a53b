// The threads of transforms: how long an idle one is kept.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTransforms, type Transforms } from '../../src/hooks/mappings/transforms.ts'

// A time that nothing else in this process waits for: earlier files of it leave timers behind.
const idleMs = 61_234

let folder: string
let transforms: Transforms
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolocom-transforms-'))
  writeFileSync(join(folder, 'counting.js'), 'let calls = 0\nexport default () => ++calls')
  transforms = createTransforms(folder, { idleMs })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await transforms.close()
  rmSync(folder, { recursive: true, force: true })
})

const calls = () =>
  transforms.run(
    { module: 'counting.js', export: 'default' },
    { url: 'http://localhost/', path: 'a', headers: {}, query: {}, payload: {}, now: '' },
  )

test('a thread that is used again in time is kept, an idle one is terminated', async () => {
  await calls()
  vi.advanceTimersByTime(40_000)
  expect(await calls()).toBe(2)
  vi.advanceTimersByTime(40_000)
  expect(await calls()).toBe(3)

  vi.advanceTimersByTime(idleMs)
  expect(await calls()).toBe(1)
})

test('a thread waits with one timer, however often it is used', async () => {
  const set = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  for (let call = 1; call <= 20; call++) expect(await calls()).toBe(call)

  const timers = set.mock.calls.flatMap(([, delay], index) => (delay === idleMs ? [set.mock.results[index]?.value] : []))
  const ended = new Set(cleared.mock.calls.map(([timer]) => timer))
  expect(timers.filter(timer => !ended.has(timer))).toHaveLength(1)
})
