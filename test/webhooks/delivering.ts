// A server that delivers webhooks, and how tests write and read what it delivers.

import { afterEach, expect } from 'vitest'
import { type Json, openApp } from '../support/app.ts'
import { keepOpen } from '../support/open.ts'
import { startMailServer } from '../support/servers/mail.ts'
import { type Receiver, type Sent, startReceiver } from './receiver.ts'

/** The server of a file with its mail, receivers that end with each test, and helpers. */
export async function openDelivering() {
  const receivers: Receiver[] = []
  const mail = await keepOpen(startMailServer())
  const app = await openApp({ env: { ROLES: 'web,api,session,worker', OUTGOING_ALLOW_PRIVATE: '127.0.0.1', SMTP_URL: mail.url } })
  afterEach(async () => {
    app.setNow(null)
    await Promise.all(receivers.splice(0).map(receiver => receiver.close()))
  })

  async function receiving() {
    const receiver = await startReceiver()
    receivers.push(receiver)
    return receiver
  }
  const add = async (credential: Json, body: Json) => {
    const answer = await app.rest('POST', '/api/webhooks/v1/endpoints', { ...credential, body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body as { endpoint: Json; secret: string }
  }
  let contacts = 0
  async function contact(key: string, body: Json = {}): Promise<string> {
    const email = `${++contacts}@example.com`
    const answer = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email, first_name: 'Ada', ...body } })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.id
  }
  const rename = (key: string, id: string, name: string) =>
    app.rest('PATCH', `/api/crm/v1/contacts/${id}`, { key, body: { first_name: name } })
  const endpointOf = async (key: string, id: string) => (await app.rest('GET', `/api/webhooks/v1/endpoints/${id}`, { key })).body
  const deliveries = async (key: string, query = ''): Promise<Json[]> =>
    (await app.rest('GET', `/api/webhooks/v1/deliveries${query}`, { key })).body.data
  const states = async (key: string) => (await deliveries(key)).map(({ state }) => state)
  const headersOf = ({ headers }: Sent) => headers as Record<string, string>
  const eventually = <Value>(read: () => Value) => expect.poll(read)
  const later = (seconds: number) => app.setNow(new Date(app.services.now().getTime() + seconds * 1000))

  return { app, mail, receiving, add, contact, rename, endpointOf, deliveries, states, headersOf, eventually, later }
}
