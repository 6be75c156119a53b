// Hostile bodies and queries, one at a time, through every door that reads one: what each costs and how much its answer says.

import type { Round } from './attack.ts'
import { type Door, doors } from './doors.ts'
import { atMost, type Figure } from './report.ts'
import { type Attacked, startAttacked } from './server.ts'

const times = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, index) => make(index))
const nested = (depth: number, inside: string) => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`

/** Values for one field, as JSON text. */
const values: Record<string, string> = {
  '490,000 numbers': `[${'1,'.repeat(470_000)}1]`,
  '24,000 numbers': `[${'1,'.repeat(24_000)}1]`,
  '900 wrong texts': JSON.stringify(times(900, () => 'x'.repeat(900))),
  '900 numbers': JSON.stringify(times(900, () => 1)),
  '110,000 NULs 180 deep': nested(180, `${'"\\u0000",'.repeat(104_000)}1`),
  '900 NULs 180 deep': nested(180, `${'"\\u0000",'.repeat(900)}1`),
  '100,000 levels': nested(100_000, ''),
  '199 levels': nested(190, ''),
  '60,000 fields': JSON.stringify(Object.fromEntries(times(60_000, index => [`f${index}`, 1]))),
  '20,000 fields': JSON.stringify(Object.fromEntries(times(20_000, index => [`f${index}`, 1]))),
  '5,000 fields': JSON.stringify(Object.fromEntries(times(5000, index => [`f${index}`, '\u0001'.repeat(20)]))),
  '10 fields with long names': JSON.stringify(Object.fromEntries(times(10, index => [index + 'n'.repeat(60_000), 1]))),
  'a text of 900,000': JSON.stringify('x'.repeat(900_000)),
  'a text of 65,000': JSON.stringify('\u0001'.repeat(65_000)),
  '8,000 objects': JSON.stringify(times(8000, () => ({ a: 1 }))),
  '100 rows of 240 numbers': JSON.stringify(times(100, index => ({ email: `r${index}@example.com`, tags: times(200, () => 1) }))),
  '100 rows of unknown fields': JSON.stringify(times(100, () => Object.fromEntries(times(200, index => [`f${index}`, 1])))),
  '100 rows of unknown custom fields': JSON.stringify(
    times(100, index => ({ email: `c${index}@example.com`, custom: Object.fromEntries(times(150, field => [`f${field}`, 1])) })),
  ),
  'an infinite number': '1e400',
}
/** Bodies that are none. */
const texts: Record<string, string> = {
  'a megabyte of braces': '{'.repeat(999_000),
  'a megabyte of opened objects': '{"a":'.repeat(190_000),
  'half a megabyte that ends in the middle': `{"a":"${'x'.repeat(500_000)}`,
  'a megabyte of commas': ','.repeat(999_000),
  null: 'null',
}

interface Sent {
  what: string
  status: number
  bytes: number
  sentBytes: number
  delayMs: number
}

// Three: a delay that comes once is the compiler's or the collector's.
const attempts = 3

export async function bodies(_round: Round): Promise<Figure[]> {
  const server = await startAttacked()
  try {
    const all = await doors(server)
    // Once before: an engine that has compiled nothing yet is not what is measured.
    for (const door of all) for (const body of bodiesOf(door).slice(0, 6)) await send(server, door, body)
    const before = await server.read(true)
    const sent: Sent[] = []
    for (const door of all) for (const body of bodiesOf(door)) sent.push(await send(server, door, body))
    const peak = (await server.read()).rssMb
    const after = await server.read(true)
    return figures(sent, before.rssMb, peak, after.rssMb, isAlive(server.pid))
  } finally {
    await server.end()
  }
}

function bodiesOf({ fields, around = inside => inside, bodies }: Door): [string, string | undefined][] {
  if (bodies) return Object.entries(bodies)
  const filled = fields.flatMap(field =>
    Object.entries(values).map(([name, value]): [string, string] => [`${field}: ${name}`, around(`{${JSON.stringify(field)}:${value}}`)]),
  )
  const bare = Object.entries(texts).map(([name, text]): [string, string] => [name, text])
  const unknown = Object.entries(values)
    .filter(([name]) => name.includes('fields'))
    .map(([name, value]): [string, string] => [`the body: ${name}`, around(value)])
  return [...filled, ...unknown, ...bare]
}

async function send(server: Attacked, door: Door, [what, body]: [string, string | undefined]): Promise<Sent> {
  let best = Number.POSITIVE_INFINITY
  let status = 0
  let bytes = 0
  for (let attempt = 0; attempt < attempts && best > 40; attempt++) {
    await server.read()
    const answer = await server.ask(door.method, door.path, { body, headers: door.headers }).catch(() => ({ status: 599, bytes: 0 }))
    status = Math.max(status, answer.status)
    bytes = Math.max(bytes, answer.bytes)
    const { longestDelayMs, cpuMs } = await server.read()
    // A machine with other work delays everybody; no body is to blame for more than what its own thread did.
    best = Math.min(best, longestDelayMs, cpuMs)
  }
  return {
    what: `${door.name} ${what}`,
    status,
    bytes,
    sentBytes: body === undefined ? door.path.length : Buffer.byteLength(body),
    delayMs: best,
  }
}

function figures(sent: readonly Sent[], before: number, peak: number, after: number, isUp: boolean): Figure[] {
  const most = (read: (one: Sent) => number) => sent.reduce((worst, one) => (read(one) > read(worst) ? one : worst))
  const slowest = most(({ delayMs }) => delayMs)
  const largest = most(({ bytes }) => bytes)
  const failed = sent.filter(({ status }) => status >= 500)
  for (const { what, status } of failed) console.log(`  ${status}: ${what}`)
  for (const { what, delayMs } of sent.filter(({ delayMs }) => delayMs > 50)) console.log(`  ${delayMs.toFixed(0)} ms: ${what}`)
  return [
    atMost(`requests answered with 5xx, of ${sent.length}`, failed.length, 0),
    atMost(`longest delay of the event loop: ${slowest.what}`, slowest.delayMs, 100, 'ms'),
    atMost('bodies that delay it by more than 50 ms', sent.filter(({ delayMs }) => delayMs > 50).length, 0),
    atMost(`largest answer: ${largest.what}`, largest.bytes, 64_000, 'bytes'),
    atMost('memory when it was over, more than before', after - before, 50, 'MB'),
    atMost('memory at its peak, more than before', peak - before, 400, 'MB'),
    atMost('processes lost', isUp ? 0 : 1, 0),
  ]
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
