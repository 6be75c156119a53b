// api, graphql, completion, events tail, hooks listen and calls, against one server with a worker.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startApp } from '../../support/app.ts'
import { newUser, type Running } from './rolocom.ts'

const app = await startApp({ env: { ROLES: 'api,session,worker', OUTGOING_ALLOW_PRIVATE: '127.0.0.1' } })
const { key } = await app.given.apiKey()
const user = newUser({ ROLOCOM_URL: app.url, ROLOCOM_API_KEY: key })
afterAll(async () => {
  user.leave()
  await app.close()
})
const contact = async (email: string) => (await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email } })).body
const seen = async (running: Running, text: string) =>
  vi.waitFor(() => expect(running.said.err + running.said.out).toContain(text), { timeout: 60_000 })

describe('rolocom api', () => {
  test('fields are the query of GET and the body elsewhere, a body comes from standard input, pages become one array', async () => {
    const made = await user.run([
      'api',
      'POST',
      '/api/crm/v1/contacts',
      '-f',
      'email=api@example.com',
      '-f',
      'tags[]=a',
      '-F',
      'do_not_call=true',
    ])
    const { id } = JSON.parse(made.out)
    const changed = await user.run(['api', 'PATCH', `/api/crm/v1/contacts/${id}`, '--input', '-'], { input: '{"city":"Rome"}' })
    for (const name of ['p1', 'p2', 'p3']) await contact(`${name}@pages.example`)
    const pages = await user.run(['api', 'GET', '/api/crm/v1/contacts', '-f', 'q=pages.example', '-F', 'limit=1', '--paginate'])
    const missing = await user.run(['api', `/api/crm/v1/contacts/${id.replace(/^./, 'f')}`, '--include'])

    expect(JSON.parse(made.out)).toMatchObject({ email: 'api@example.com', tags: ['a'], do_not_call: true })
    expect(JSON.parse(changed.out)).toMatchObject({ id, city: 'Rome' })
    expect(JSON.parse(pages.out).map(({ email }: { email: string }) => email)).toEqual(
      ['p3', 'p2', 'p1'].map(name => `${name}@pages.example`),
    )
    expect([missing.status, missing.out, missing.err]).toEqual([
      1,
      expect.stringMatching(/^HTTP 404 .*\n[\s\S]*"code": "not_found"/),
      expect.stringMatching(/request id: /),
    ])
  })
})

describe('rolocom graphql', () => {
  test('takes a document from an argument or standard input, with variables, and ends with 1 for errors', async () => {
    const document = 'query ($n: Int) { contacts(first: $n) { nodes { email } } }'
    const named = await user.run(['graphql', document, '-F', 'n=1'])
    const piped = await user.run(['graphql', '-F', 'n=1'], { input: document })
    const wrong = await user.run(['graphql', '{ nothing }'])

    expect(JSON.parse(named.out).data.contacts.nodes).toHaveLength(1)
    expect(JSON.parse(piped.out)).toEqual(JSON.parse(named.out))
    expect([wrong.status, JSON.parse(wrong.out).errors.length, wrong.err]).toEqual([1, 1, expect.stringMatching(/nothing.*\nrequest id: /)])
  })
})

test('completion has a script for each shell, whose requests propose commands, flags and values', async () => {
  const scripts = await Promise.all(['bash', 'zsh', 'fish'].map(shell => user.run(['completion', shell])))
  const [commands, flags, values] = await Promise.all(
    [['contacts'], ['contacts', 'list', '--sta'], ['contacts', 'list', '--stage', 'cu']].map(words =>
      user.run(['complete', '--', ...words]),
    ),
  )

  expect(scripts.map(({ status, out }) => [status, out.includes('rolocom complete --')])).toEqual(scripts.map(() => [0, true]))
  expect(commands?.out).toBe('contacts\tList, show, add and import contacts\n:4\n')
  expect(flags?.out).toMatch(/^--stage\t.*\n:4\n$/)
  expect(values?.out).toMatch(/^customer\t.*\n:4\n$/)
})

test('events tail prints a line of JSON for each change, of the types that were asked for', async () => {
  const running = user.start(['events', 'tail', '--type', 'contact.updated'])
  onTestFinished(() => running.kill())
  await seen(running, `Following ${app.url}`)
  const { id } = await contact('live@example.com')
  await app.rest('PATCH', `/api/crm/v1/contacts/${id}`, { key, body: { city: 'Oslo' } })
  await seen(running, 'Oslo')

  const lines = running.said.out.trim().split('\n')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { type: 'CONTACT_UPDATED', entityId: id, changes: [{ field: 'city', after: 'Oslo' }] },
  ])
})

test('hooks listen forwards what an endpoint is sent, signed with the secret that it shows', async () => {
  const received: { headers: Record<string, string>; body: string }[] = []
  const receiver = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    if (req.url === '/local')
      received.push({ headers: Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)])), body })
    res.writeHead(204).end()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  await app.rest('POST', '/api/webhooks/v1/endpoints', { key, body: { url: `${address}/public`, event_types: ['contact.created'] } })
  const running = user.start(['hooks', 'listen', '--forward-to', `${address}/local`])
  onTestFinished(() => running.kill())
  await seen(running, 'Forwarding deliveries')
  const secret = /Signing secret: (\S+)/.exec(running.said.err)?.[1] ?? ''

  const { id } = await contact('forwarded@example.com')
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 60_000 })
  const [{ headers, body } = { headers: {}, body: '' }] = received

  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: 'contact.created',
    data: { id, object: { email: 'forwarded@example.com' } },
  })
  const { body: log } = await app.rest('GET', '/api/webhooks/v1/deliveries?type=contact.created', { key })
  expect(headers['webhook-id']).toBe(log.data[0].message_id)
})

test('calls place --follow waits for the end of a call, and a dry run rings nobody', async () => {
  const { body: agent } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Caller', instructions: 'Be brief.' } })
  const words = ['calls', 'place', '--agent', agent.id, '--to', '+442079460958']
  const tried = await user.run([...words, '--dry-run'])
  const placed = await user.run([...words, '--follow'])
  const listed = await user.run(['calls', 'list', '--agent', agent.id])

  expect([tried.status, JSON.parse(tried.out)]).toEqual([0, expect.objectContaining({ dry_run: true, status: 201 })])
  const call = JSON.parse(placed.out)
  expect([placed.status, call.status, placed.err.includes('completed')]).toEqual([0, 'completed', true])
  expect(JSON.parse(listed.out).map(({ id }: { id: string }) => id)).toEqual([call.id])
})
