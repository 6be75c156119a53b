// Sends hostile bodies and queries through every door that reads one, one at a time: measures the cost and the size of the answer.

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
/** Malformed bodies. */
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
  /** After the attempt that left least, before its garbage is collected. */
  rssMb: number
}

// A delay that does not repeat is caused by compilation, garbage collection or other programs, and memory that does not repeat by garbage
// of earlier bodies: an attempt close to a limit is made again.
const attempts = 8
const limits = { delayMs: 50, longestDelayMs: 100, answerBytes: 64_000, retainedMb: 50, peakMb: 400 }
const close = (limit: number) => limit * 0.8

export async function bodies(): Promise<Figure[]> {
  const server = await startAttacked()
  try {
    const all = await doors(server)
    // The JIT compilation of the first requests must not be measured. The collections of `retainedMb` discard compiled code.
    const warmUp = async () => {
      for (const door of all) for (const body of bodiesOf(door).slice(0, 6)) await send(server, door, body, Number.POSITIVE_INFINITY)
    }
    await warmUp()
    // Prisma is loaded at its first use, which is no growth.
    const [{ headers } = {}] = all.filter(({ path }) => path.startsWith('/api/crm'))
    await server.ask('GET', '/api/voice/v1/agents', headers ? { headers } : {})
    const before = await server.retainedMb()
    await warmUp()
    const sendAll = async () => {
      const sent: Sent[] = []
      for (const door of all) for (const body of bodiesOf(door)) sent.push(await send(server, door, body, before))
      return sent
    }
    const sent = await sendAll()
    const after = await server.retainedMb()
    let retained = after - before
    // A leak grows with every round; caches and pools that were filled once do not.
    if (retained > limits.retainedMb) {
      await sendAll()
      retained = (await server.retainedMb()) - after
    }
    return figures(sent, before, retained, isAlive(server.pid))
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

async function send(server: Attacked, door: Door, [what, body]: [string, string | undefined], before: number): Promise<Sent> {
  let best = Number.POSITIVE_INFINITY
  let status = 0
  let bytes = 0
  let rssMb = Number.POSITIVE_INFINITY
  const isLarge = () => rssMb - before > close(limits.peakMb)
  for (let attempt = 0; attempt < attempts && (best > close(limits.delayMs) || isLarge()); attempt++) {
    // Only then: compiled code is discarded too, which makes the next attempts slower.
    if (attempt > 0 && isLarge()) await server.settle()
    await server.read()
    const answer = await server.ask(door.method, door.path, { body, headers: door.headers }).catch(() => ({ status: 599, bytes: 0 }))
    status = Math.max(status, answer.status)
    bytes = Math.max(bytes, answer.bytes)
    const { maxDelayMs, cpuMs, rssMb: rss } = await server.read()
    rssMb = Math.min(rssMb, rss)
    // Other load on the machine delays the event loop too, so a body counts for at most the CPU time of the thread.
    const delayMs = Math.min(maxDelayMs, cpuMs)
    best = Math.min(best, delayMs > close(limits.delayMs) ? delayMs / (await server.slowness()) : delayMs)
  }
  return {
    what: `${door.name} ${what}`,
    status,
    bytes,
    sentBytes: body === undefined ? door.path.length : Buffer.byteLength(body),
    delayMs: best,
    rssMb,
  }
}

function figures(sent: readonly Sent[], before: number, retained: number, isUp: boolean): Figure[] {
  const most = (read: (one: Sent) => number) => sent.reduce((worst, one) => (read(one) > read(worst) ? one : worst))
  const slowest = most(({ delayMs }) => delayMs)
  const largest = most(({ bytes }) => bytes)
  const failed = sent.filter(({ status }) => status >= 500)
  for (const { what, status } of failed) console.log(`  ${status}: ${what}`)
  for (const { what, delayMs } of sent.filter(({ delayMs }) => delayMs > limits.delayMs)) console.log(`  ${delayMs.toFixed(0)} ms: ${what}`)
  return [
    atMost(`requests answered with 5xx, of ${sent.length}`, failed.length, 0),
    atMost(`longest delay of the event loop: ${slowest.what}`, slowest.delayMs, limits.longestDelayMs, 'ms'),
    atMost('bodies that delay it by more than 50 ms', sent.filter(({ delayMs }) => delayMs > limits.delayMs).length, 0),
    atMost(`largest answer: ${largest.what}`, largest.bytes, limits.answerBytes, 'bytes'),
    atMost('memory when it was over, more than before', retained, limits.retainedMb, 'MB'),
    atMost('memory at its peak, more than before', most(({ rssMb }) => rssMb).rssMb - before, limits.peakMb, 'MB'),
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
