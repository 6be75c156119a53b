// The threads of transforms: how long an idle one is kept.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTransforms, type Transforms } from '../../src/hooks/mappings/transforms.ts'

let folder: string
let transforms: Transforms
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolocom-transforms-'))
  writeFileSync(join(folder, 'counting.js'), 'let calls = 0\nexport default () => ++calls')
  transforms = createTransforms(folder)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await transforms.close()
  rmSync(folder, { recursive: true, force: true })
})

const calls = () =>
  transforms.run(
    { module: 'counting.js', export: 'default' },
    { url: 'http://localhost/', path: 'a', headers: {}, query: {}, payload: {}, now: '' },
  )

test('a thread that was used within a minute is kept, an idle one is terminated', async () => {
  await calls()
  vi.advanceTimersByTime(40_000)
  expect(await calls()).toBe(2)
  vi.advanceTimersByTime(40_000)
  expect(await calls()).toBe(3)

  vi.advanceTimersByTime(60_000)
  expect(await calls()).toBe(1)
})

test('a thread waits with one timer, however often it is used', async () => {
  for (let call = 1; call <= 20; call++) expect(await calls()).toBe(call)

  expect(vi.getTimerCount()).toBe(1)
})
