// Waiting for Redis: what is late is Redis, not the process that has its answer already.

import { readFile } from 'node:fs/promises'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { connectRedis, type SharedRedis } from '../../src/server/redis.ts'

let redis: SharedRedis
// Nothing listens there: only the waiting is tested, not the connection.
beforeEach(async () => {
  redis = await connectRedis('redis://127.0.0.1:1', pino({ enabled: false }))
})

const occupy = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
}
const alone = async () => 'alone'
/** An answer that comes through the event loop, as those of sockets do. */
const answered = async () => {
  await readFile(import.meta.filename)
  return 'shared'
}

test('an answer that came while the process was occupied counts', async () => {
  const asked = redis.ask(answered, alone)
  occupy(600)

  expect(await asked).toBe('shared')
  expect(await redis.ask(answered, alone)).toBe('shared')
})

test('a process that is occupied again and again reads the answer when it comes', async () => {
  const { promise: answer, resolve } = Promise.withResolvers<string>()
  const asked = redis.ask(() => answer, alone)
  let turns = 0
  const busy = setInterval(() => {
    occupy(90)
    if (++turns === 3) setImmediate(resolve, 'shared')
  }, 1)

  expect(await asked).toBe('shared')
  clearInterval(busy)
})

test('ten requests that wait when the process becomes free are all counted together', async () => {
  const asked = Array.from({ length: 10 }, () => redis.ask(answered, alone))
  await new Promise(setImmediate)
  occupy(400)

  expect(await Promise.all(asked)).toEqual(Array(10).fill('shared'))
})

test('without an answer a quarter of a second is waited, and then each process counts alone', async () => {
  const started = performance.now()

  expect(await redis.ask(() => new Promise<string>(() => {}), alone)).toBe('alone')
  expect(performance.now() - started).toBeGreaterThan(240)
  expect(await redis.ask(answered, alone)).toBe('alone')
})
