// The production log: lines wait for each other, and none may be lost, cut or out of order, whatever they hold.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('every line is written whole and in order, however many and long, the last before the process ends', () => {
  const log = join(import.meta.dirname, '../../src/log.ts')
  const program = `
    const { createLog } = await import(${JSON.stringify(log)})
    const log = createLog({ LOG_LEVEL: 'info', isProduction: true }, { isTerminal: false })
    for (let i = 0; i < 3000; i++) log.info({ i }, i % 500 === 7 ? 'x'.repeat(100_000) : '\\u00fc\\u20ac\\ud83d\\ude00'.repeat(i % 50))
  `
  const { stdout, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { maxBuffer: 50_000_000 })

  expect([status, String(stderr)]).toEqual([0, ''])
  const lines = String(stdout)
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { i: number; msg: string })
  expect(lines.map(({ i, msg }) => [i, msg])).toEqual(
    Array.from({ length: 3000 }, (_, i) => [i, i % 500 === 7 ? 'x'.repeat(100_000) : 'ü€😀'.repeat(i % 50)]),
  )
})
