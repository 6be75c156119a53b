// Places thousands of simulated calls as fast as possible, and checks that all of them end and that memory stays constant.
//
//   npm run round -- calls                  10,000 calls on an embedded database of its own
//   CALLS=1000 npm run round -- calls

import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { steeringNumbers } from '../../src/voice/providers/simulator-script.ts'
import { type Server, startServer } from '../crash/server.ts'

const count = Number(process.env.CALLS ?? 10_000)
const callers = 16
// The growth of resident memory after the second reading; before it the process warms up.
const maxGrowth = 1.25
// 150 s: if no call ended for so long, calls are stuck; the reaper has checked all calls twice by then.
const patienceMs = 150_000

// Not `silent`, which lasts the maximum duration, `do_not_call`, which blocks its number, or `slow`, which only waits for the provider.
const steering = Object.entries(steeringNumbers).flatMap(([number, script]) =>
  script === 'silent' || script === 'do_not_call' || script === 'slow' ? [] : [number],
)
// Half of the calls are conversations, with a few thousand numbers, so that contacts have several calls.
const anyNumber = () => (randomInt(2) ? (steering[randomInt(steering.length)] as string) : `+1555000${randomInt(1000, 4000)}`)

const dataDir = mkdtempSync(join(tmpdir(), 'rolocom-soak-'))
let server: Server
beforeAll(async () => {
  server = await startServer(dataDir, undefined, { SIMULATOR_SPEED: '0', VOICE_PRICE_PER_MINUTE: '0.01', VOICE_CONCURRENCY: '100' })
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('all of many calls end, and memory stays flat', async () => {
  const agent = await ask('/api/voice/v1/agents', { name: 'Soak' })
  const started = performance.now()
  const memory: number[] = []
  let placed = 0
  let refused = 0
  const caller = async () => {
    while (placed < count) {
      placed++
      const { id } = await ask('/api/voice/v1/calls', { agent_id: agent.id, to_number: anyNumber(), max_duration_seconds: 30 })
      if (id === undefined) refused++
      if (placed % 1000 === 0 && memory.length < placed / 1000) {
        memory.push(residentMb())
        const seconds = (performance.now() - started) / 1000
        print(`${placed} placed, ${Math.round(placed / seconds)}/s, ${memory.at(-1)} MB, ${(await counts()).active} open`)
      }
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))

  let { total, active, by_status: byStatus } = await counts()
  let ended = performance.now()
  while (active > 0 && performance.now() - ended < patienceMs) {
    await sleep(500)
    const before = active
    ;({ total, active, by_status: byStatus } = await counts())
    if (active < before) ended = performance.now()
  }
  const seconds = (ended - started) / 1000
  memory.push(residentMb())
  const [, warm = 0] = memory
  print(JSON.stringify(byStatus))
  print(
    `calls ${total}, ended ${total - active} in ${Math.round(seconds)} s (${Math.round((total - active) / seconds)}/s), stuck ${active}, refused ${refused}, memory ${memory.join(' ')} MB`,
  )
  expect({ active, refused, total }).toEqual({ active: 0, refused: 0, total: count })
  expect(Math.max(...memory.slice(2), 0)).toBeLessThanOrEqual(warm * maxGrowth)
})

interface Counts {
  total: number
  active: number
  by_status: Record<string, number>
}
async function counts(): Promise<Counts> {
  return (await ask('/api/crm/v1/stats')).calls
}

async function ask(path: string, body?: object) {
  const response = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as { id?: string; calls: Counts }
}

function residentMb(): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
