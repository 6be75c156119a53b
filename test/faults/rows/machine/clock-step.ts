// The clock of a server is set an hour ahead, then an hour back, while it works beside another one whose clock is right.

import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp } from '../../../crash/person.ts'
import type { Server } from '../../../crash/server.ts'
import { createClock, withoutClocks } from '../../clock.ts'
import type { Lab } from '../../lab.ts'
import type { Row } from '../../row.ts'
import { ask } from '../../traffic.ts'

const hour = 3_600
const contacts = '/api/crm/v1/contacts'
const patienceMs = 15_000
// Far below the hour for which something would be stuck, and far above what it takes on a busy machine.
const withinMs = 180_000

export const row: Row = {
  name: "a server's clock set an hour ahead and an hour back: sign-ins, keys, calls and webhooks go on, nothing is stuck or done twice",
  lacks: withoutClocks,
  isShort: true,
  async run(lab) {
    const cluster = await lab.cluster()
    const clock = createClock(lab.folder())
    const receiver = await startReceiver(lab)
    const environment = {
      DATABASE_URL: cluster.url(),
      IDENTITY_SECRET: randomUUID(),
      SIMULATOR_SPEED: '20',
      SIGN_UP: 'open',
      OUTGOING_ALLOW_PRIVATE: '127.0.0.1',
    }
    const stepped = await lab.server({ ...environment, ...clock.environment })
    const steady = await lab.server(environment, stepped.key)
    const ids = async () => (await cluster.query<{ id: string }>('select id from contacts')).map(({ id }) => id)
    const before = new Set(await ids())
    await ask(steady, 'POST', '/api/webhooks/v1/endpoints', patienceMs, { url: receiver.url, event_types: ['contact.created'] })
    const traffic = lab.traffic([stepped, steady], { clients: 2, pauseMs: 100, patienceMs })
    await traffic.recovered(60_000)

    const replayed = { key: randomUUID(), body: { email: `${randomUUID()}@clock.example` } }
    const write = () => ask(stepped, 'POST', contacts, patienceMs, replayed.body, replayed.key)
    const first = JSON.stringify(await write())
    const agent = await ask(stepped, 'POST', '/api/voice/v1/agents', patienceMs, { name: 'Clock' })
    const call = (server: Server) =>
      ask(server, 'POST', '/api/voice/v1/calls', patienceMs, { agent_id: agent.body.id, to_number: '+15550123456' }, randomUUID())
    const people: string[] = []
    const figures = { refusedSessions: 0, otherReplays: 0, unplaced: 0 }
    for (const seconds of [0, hour, 0, -hour, 0]) {
      clock.set(seconds)
      await sleep(1_500)
      for (const server of [stepped, steady]) {
        people.push((await signUp(server.url)).session)
        if ((await call(server)).status !== 201) figures.unplaced++
      }
      for (const token of people)
        for (const { url } of [stepped, steady]) {
          const { status, body } = await ask({ url, key: token }, 'GET', '/api/credits/balance', patienceMs)
          if (status === 200) continue
          lab.found(`${seconds} s: a session is answered ${status} ${JSON.stringify(body)}`)
          figures.refusedSessions++
        }
      if (JSON.stringify(await write()) !== first) figures.otherReplays++
    }
    const verdict = await traffic.verdict()

    const open = async () => {
      const [calls] = await cluster.query<{ count: number }>('select count(*)::int from calls where ended_at is null')
      return { calls: calls?.count ?? 0, webhooks: (await ids()).filter(id => !before.has(id) && !receiver.taken.has(id)).length }
    }
    let stuck = await open()
    for (const deadline = performance.now() + withinMs; stuck.calls + stuck.webhooks > 0 && performance.now() < deadline; await sleep(500))
      stuck = await open()
    const [wrong] = await cluster.query<{ redialled: number; backwards: number }>(
      `select (select count(*)::int from simulated_calls where dials <> 1) as redialled,
         (select count(*)::int from contacts where updated_at < created_at) as backwards`,
    )
    return { ...verdict, ...figures, stuckCalls: stuck.calls, stuckWebhooks: stuck.webhooks, webhooks: receiver.taken.size, ...wrong }
  },
  limits: { refused: 0, refusedSessions: 0, otherReplays: 0, unplaced: 0, stuckCalls: 0, stuckWebhooks: 0, redialled: 0, backwards: 0 },
}

/** Refuses each fifth message the first time, so that some are sent again later. */
async function startReceiver(lab: Lab): Promise<{ url: string; taken: Set<string> }> {
  const taken = new Set<string>()
  const refused = new Set<string>()
  let count = 0
  const server = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const { data } = JSON.parse(text) as { data: { id: string } }
    const isRefused = ++count % 5 === 0 && !refused.has(data.id)
    ;(isRefused ? refused : taken).add(data.id)
    res.writeHead(isRefused ? 503 : 204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  lab.kept(server, () => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, taken }
}
