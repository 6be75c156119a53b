// Webhooks of the contacts that the crash script writes: every acknowledged change is received, those of a contact in their order, whatever
// dies: the server, its database or the receiver.

import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'
import type { Finding } from './credits.ts'
import type { Server } from './server.ts'

type Line = [messageId: string, type: string, contactId: string, city: [before: unknown, after: unknown] | null]

const program = fileURLToPath(new URL('receiver.ts', import.meta.url))
const types = ['contact.created', 'contact.updated', 'contact.deleted']
// What was not taken is sent again after 5 s, then after 5 min.
const withinMs = 420_000
// Then after 30 min, which is not waited for: with a receiver that is killed in each round, some of thousands are refused three times.
const attemptsInTime = 3

export function crashWebhooks(dataDir: string, found: (kind: Finding['kind'], text: string) => void) {
  const journal = join(dataDir, 'webhooks.jsonl')
  let port = 0
  let receiver: ChildProcess | undefined
  let isAdded = false
  const lines = (): Line[] =>
    existsSync(journal)
      ? readFileSync(journal, 'utf8')
          .split('\n')
          // The last line of a receiver that was killed may be torn: it was not answered, and comes again.
          .flatMap(line => (line.endsWith(']') ? [JSON.parse(line) as Line] : []))
      : []

  const receive = async () => {
    port ||= await freePort()
    const child = spawn(process.execPath, [program, String(port), journal], { stdio: ['ignore', 'pipe', 'inherit'] })
    receiver = child
    await new Promise(resolve => child.stdout?.once('data', resolve))
  }
  const kill = async () => {
    const child = receiver
    if (!child || child.exitCode !== null) return
    const exited = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }

  return {
    environment: { OUTGOING_ALLOW_PRIVATE: '127.0.0.1' },
    /** Adds the endpoint before the first write. */
    async open({ url, key }: Server): Promise<void> {
      if (!receiver) await receive()
      if (isAdded) return
      const response = await fetch(`${url}/api/webhooks/v1/endpoints`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: `http://127.0.0.1:${port}/`, event_types: types }),
      })
      if (response.status !== 201) throw new Error(`the endpoint was answered ${response.status}: ${await response.text()}`)
      isAdded = true
    },
    /** Kills the receiver some time, and starts it again. */
    async disturb(): Promise<void> {
      await sleep(randomInt(50, 800))
      await kill()
      await sleep(randomInt(0, 300))
      await receive()
    },
    /** `changes`: how many of each contact were acknowledged, its creation among them. Waits until all are received. */
    async verify({ url, key }: Server, changes: ReadonlyMap<string, number>): Promise<string> {
      const isStillSent = async (contactId: string) => {
        const response = await fetch(`${url}/api/webhooks/v1/deliveries?entity_id=${contactId}`, {
          headers: { authorization: `Bearer ${key}` },
        })
        const { data } = (await response.json()) as { data: { state: string; attempt_count: number }[] }
        return data.some(({ state, attempt_count: count }) => state === 'pending' && count >= attemptsInTime)
      }
      const until = Date.now() + withinMs
      const byContact = () => {
        const first = new Map<string, Line>()
        for (const line of lines()) if (!first.has(line[0])) first.set(line[0], line)
        return Map.groupBy(first.values(), ([, , contactId]) => contactId)
      }
      const missing = () => {
        const received = byContact()
        return [...changes].filter(([id, count]) => (received.get(id)?.length ?? 0) < count)
      }
      while (missing().length > 0 && Date.now() < until) await sleep(1000)
      let later = 0
      for (const [id, count] of missing())
        if (await isStillSent(id)) later++
        else found('lost', `of ${count} changes of contact ${id}, ${byContact().get(id)?.length ?? 0} were received`)
      const received = byContact()
      for (const [id, told] of received) {
        const inOrder = told.every(([, type, , city], index) => {
          if ((type === 'contact.created') !== (index === 0)) return false
          if (type === 'contact.deleted') return index === told.length - 1
          const before = told[index - 1]?.[3]?.[1] ?? null
          return city === null || city[0] === before
        })
        if (!inOrder) found('torn', `the changes of contact ${id} came out of order: ${JSON.stringify(told)}`)
      }
      const all = lines().length
      const distinct = [...received.values()].flat().length
      return `webhooks ${distinct} of ${changes.size} contacts, repeated ${all - distinct}${later > 0 ? `, of ${later} contacts in half an hour` : ''}`
    },
    close: kill,
  }
}
