// Keeps a server under a moderate load through all of its doors, and checks that nothing of it grows: memory, connections, listeners, timers,
// files, dead rows.
//
//   npm run round -- soak                 2 hours
//   MINUTES=5 npm run round -- soak       a quick look
//
// Production serves only a web app that is built: npm run build.
//
// SOAK_LEAK_KB=32 makes the server leak as many kilobytes per second, to see that it is found.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type SoakClient, soakClient } from './client.ts'
import { agentDoors } from './doors/agents.ts'
import { restDoors } from './doors/contacts.ts'
import { graphqlDoors } from './doors/graphql.ts'
import { identityDoors } from './doors/identity.ts'
import { workDoors } from './doors/work.ts'
import { type Lab, openLab } from './lab.ts'
import { type Count, startLoad } from './load.ts'
import { type Measured, measures, type Sampled } from './sample.ts'
import { checkSlope } from './slope.ts'

const minutes = Number(process.env.MINUTES ?? 120)
if (!(minutes >= 2)) throw new Error('MINUTES is a number of at least 2')
// What a slope is told from (slope.ts).
const fewest = 12
// Until then caches fill and code is compiled.
const warmUpMs = Math.min(10, minutes * 0.3) * 60_000
// Of each period the load pauses for about a second, so that what is read is what remains without requests under way.
const periodMs = minutes > 20 ? 30_000 : 8_000
// What ends after the last answer: handlers of closed connections, events to webhooks.
const settleMs = 700
// Several rounds of autovacuum.
const vacuumMs = 90_000

// Waiting webhooks and messages, on a busy machine.
const sentMs = 120_000

interface Reading extends Sampled {
  atMs: number
}

test('nothing grows under load', async () => {
  const lab = await openLab()
  const rows: { name: string; isHeld: boolean; text: string }[] = []
  try {
    const { readings, counts, answered } = await soak(lab)
    console.log([`${answered.answers} answers, ${answered.unavailable} of them 503 and asked again`, ...answered.refusals].join('\n  '))
    const measured = readings.filter(({ atMs }) => atMs >= warmUpMs)
    for (const [name, count] of counts) rows.push(doorRow(name, count))
    for (const key of Object.keys(measures) as Measured[]) rows.push(measureRow(key, measured))
    rows.push(await sentRow(lab, counts), await vacuumRow(lab))
    rows.push(logRow(lab))
  } finally {
    const status = await lab.close()
    rows.push({ name: 'stop', isHeld: status === 0, text: `exit status ${status}` })
  }
  const lines = rows.map(({ name, isHeld, text }) => `${isHeld ? 'held' : 'FAILED'}  ${name.padEnd(22)} ${text}`)
  console.log(lines.join('\n'))
  expect(lines.filter((_line, index) => !rows[index]?.isHeld)).toEqual([])
})

async function soak({
  target,
  sample,
}: Lab): Promise<{ readings: Reading[]; counts: ReadonlyMap<string, Count>; answered: SoakClient['counts'] }> {
  const client = soakClient(target)
  const load = startLoad([
    ...restDoors(client),
    ...(await graphqlDoors(target, client)),
    ...agentDoors(target, client),
    ...(await identityDoors(target, client)),
    ...(await workDoors(target, client)),
  ])
  const begin = performance.now()
  const readings: Reading[] = []
  try {
    // A machine that is too busy for enough samples measures longer.
    const enough = () => readings.filter(({ atMs }) => atMs >= warmUpMs).length >= fewest
    while (performance.now() - begin < (enough() ? minutes : Math.max(20, 3 * minutes)) * 60_000) {
      await sleep(periodMs)
      await load.pause()
      await sleep(settleMs)
      const reading = { atMs: performance.now() - begin, ...(await sample()) }
      readings.push(reading)
      load.resume()
      if (process.stdout.isTTY || readings.length % 5 === 1) console.log(progress(reading))
    }
  } finally {
    await load.stop()
  }
  return { readings, counts: load.counts, answered: client.counts }
}

function progress({ atMs, heapMiB, rssMiB, timers, handles, connections, dead }: Reading): string {
  const figures = `heap ${heapMiB.toFixed(1)} MiB, RSS ${rssMiB.toFixed(0)} MiB, timers ${timers}, sockets ${handles}`
  return `${(atMs / 60_000).toFixed(1).padStart(5)} min: ${figures}, connections ${connections}, dead rows ${dead}`
}

function doorRow(name: string, { acts, failed, failures }: Count) {
  const text = [`${acts} times${failed > 0 ? `, ${failed} failed` : ''}`, ...failures].join('\n          ')
  return { name, isHeld: acts > 0 && failed === 0, text }
}

/** Each life of a contact has three events for the endpoint of webhooks, and each run of an agent a message. */
async function sentRow({ target: { receiver } }: Lab, counts: ReadonlyMap<string, Count>) {
  const expected = { webhooks: 3 * (counts.get('REST')?.acts ?? 0), messages: counts.get('hooks')?.acts ?? 0 }
  const isThere = () => receiver.counts.webhooks >= expected.webhooks && receiver.counts.messages >= expected.messages
  for (const deadline = performance.now() + sentMs; !isThere() && performance.now() < deadline; ) await sleep(500)
  const { webhooks, messages } = receiver.counts
  return {
    name: 'sent',
    isHeld: isThere(),
    text: `${webhooks} webhooks of at least ${expected.webhooks}, ${messages} messages of ${expected.messages}`,
  }
}

function measureRow(key: Measured, measured: readonly Reading[]) {
  const { name, unit, ...bounds } = measures[key]
  const { first, last, growth, perHour, allowed, isFlat } = checkSlope(
    bounds,
    measured.map(reading => ({ atMs: reading.atMs, value: reading[key] })),
  )
  const text = `${first.toFixed(1)} to ${last.toFixed(1)} ${unit}, grew by ${growth.toFixed(2)} of ${allowed.toFixed(2)} allowed (${perHour.toFixed(2)} an hour)`
  return { name, isHeld: isFlat, text }
}

/** A transaction that never ends, or a table that is changed faster than it is vacuumed, leaves dead rows. */
async function vacuumRow({ sample }: Lab) {
  const deadline = performance.now() + vacuumMs
  let { dead, overdue, overdueTables } = await sample()
  while (overdue > 0 && performance.now() < deadline) {
    await sleep(1000)
    ;({ dead, overdue, overdueTables } = await sample())
  }
  return {
    name: 'dead rows',
    isHeld: overdue === 0,
    text: `${dead}, ${overdue} of them beyond what autovacuum leaves${overdue > 0 ? `: ${overdueTables}` : ''}`,
  }
}

function logRow({ output }: Lab) {
  const lines = output()
    .split('\n')
    .filter(line => /"level":"?(50|60|error|fatal)|Warning/.test(line))
  return {
    name: 'log',
    isHeld: lines.length === 0,
    text: [`${lines.length} errors and warnings of Node`, ...lines.slice(0, 10)].join('\n          '),
  }
}
