// What the round of conversations needs: servers as processes of one database, a model whose words come when the test says, and a carrier.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '../../crash/server.ts'
import type { Json } from '../../support/app.ts'
import { createTestDatabase } from '../../support/database/database.ts'
import { freePort } from '../../support/free-port.ts'
import { startModel } from '../../support/servers/model.ts'
import { actionIn, openSocket, socketIn } from '../conversations/carrier.ts'
import { twilioSettings } from '../providers/messages.ts'
import { providerServer } from '../providers/server.ts'
import { askNext, tellStatus } from './twilio.ts'

export async function openStage() {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-voice-'))
  const database = await createTestDatabase()
  const model = await startModel()
  const twilio = await providerServer()
  let calls = 0
  twilio.answers(({ method, path }) => {
    if (path.endsWith('/IncomingPhoneNumbers.json')) return { status: 200, body: { incoming_phone_numbers: [{ sid: 'PN1' }] } }
    return method === 'POST' && path.endsWith('/Calls.json')
      ? { status: 201, body: { sid: `CA${String(++calls).padStart(32, '0')}`, status: 'queued' } }
      : { status: 200, body: {} }
  })
  const config = join(folder, 'gateway.json5')
  const providers = { local: model.provider }
  writeFileSync(config, JSON.stringify({ models: { voice: ['local/a'], providers }, heartbeat: { everyMinutes: 0 } }))
  let key: string | undefined

  /** Starts a process on the database. */
  async function server() {
    const monitorPort = await freePort()
    const started = await startServer(folder, key, {
      ...twilioSettings,
      ...{ TWILIO_API_URL: twilio.url, DATABASE_URL: database.url, GATEWAY_CONFIG: config, VOICE_CONCURRENCY: '200' },
      ...{ DRAIN_SECONDS: '0', PAID_PROVIDER_ORGANIZATIONS: '*', VOICE_SILENCE_SECONDS: '60' },
      ...{ NODE_OPTIONS: `--import=${new URL('../../attack/monitor.ts', import.meta.url).href}`, ATTACK_MONITOR_PORT: String(monitorPort) },
    })
    key = started.key
    const ask = async (method: string, path: string, body?: object): Promise<Json> => {
      const headers = { authorization: `Bearer ${started.key}`, 'content-type': 'application/json' }
      const response = await fetch(`${started.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const answer: Json = await response.json()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
      return answer
    }
    const monitor = async (path: string): Promise<Json> => (await fetch(`http://127.0.0.1:${monitorPort}${path}`)).json()
    return { ...started, ask, monitor }
  }
  type Running = Awaited<ReturnType<typeof server>>

  /** An agent of the demo organization on Twilio. */
  const agent = async (running: Running, fields: object = {}): Promise<Json> => {
    const made = await running.ask('POST', '/api/voice/v1/agents', {
      ...{ name: 'Caller', provider: 'twilio', phone_number: `+1555${String(Date.now()).slice(-7)}` },
      ...fields,
    })
    for (let waited = 0; waited < 20_000; waited += 100) {
      const { status } = await running.ask('GET', `/api/voice/v1/agents/${made.id}`)
      if (status === 'active') return made
      await sleep(100)
    }
    throw new Error('the agent did not become active')
  }

  /** A call that was answered. */
  async function answered(running: Running, agentId: string, to: string) {
    const placed = await running.ask('POST', '/api/voice/v1/calls', { agent_id: agentId, to_number: to })
    const twiml =
      twilio
        .to('POST', '/Calls.json')
        .find(({ form }) => form.get('StatusCallback')?.includes(placed.id))
        ?.form.get('Twiml') ?? ''
    await tellStatus(running.url, placed, { CallStatus: 'in-progress', SequenceNumber: '2' }, twilio)
    return {
      ...placed,
      connect: (on: Running = running, at = twiml) => openSocket(on.url, socketIn(at)),
      /** The TwiML with which the call goes on at a process. */
      next: (on: Running) => askNext(on.url, actionIn(twiml), placed.provider_call_id),
    }
  }

  return {
    model,
    server,
    agent,
    answered,
    async close() {
      await twilio.close()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
