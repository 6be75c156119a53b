// What the people of the gateway's organization see of it, and what they may do: configuration, samples of hooks, canceling runs, deliveries.

import { describe, expect, test } from 'vitest'
import { openStream } from '../graphql/stream.ts'
import { openGateway, until } from '../support/gateway.ts'
import { keepOpen } from '../support/open.ts'
import { startModel } from '../support/servers/model.ts'

const secret = 'super-secret-value-0123456789'

const model = await keepOpen(startModel())
const gateway = await openGateway({
  config: {
    heartbeat: { everyMinutes: 0 },
    models: { default: 'local/small', aliases: { quick: 'local/small' }, providers: { local: { ...model.provider, apiKey: secret } } },
    agents: { list: { sales: { model: 'quick', instructions: 'Sell.' } } },
    channels: { telegram: { botToken: secret, defaultTo: '42', baseUrl: 'http://user:pass@127.0.0.1:1/x?key=y' } },
    hooks: {
      presets: ['github'],
      presetSecrets: { github: secret },
      transformsDir: 'transforms-are-elsewhere',
      mappings: [
        {
          id: 'orders',
          match: { path: 'shop', headers: { 'x-event': 'paid', 'x-shop-token': secret }, where: { 'order.currency': 'EUR' } },
          messageTemplate: 'Order {{order.number}}',
          agentId: 'sales',
          sessionKey: 'hook:order:{{order.number}}',
          auth: { token: secret },
        },
      ],
    },
  },
})

const started = async (sessionKey: string, message = 'Hello') =>
  (
    await gateway.ask('mutation ($input: StartAgentRunInput!) { startAgentRun(input: $input) { runId } }', {
      input: { message, sessionKey, wakeMode: 'NEXT_HEARTBEAT', deliver: false },
    })
  ).startAgentRun.runId as string
const runOf = async (id: string) => (await gateway.ask('query ($id: ID!) { agentRun(id: $id) { status error reply } }', { id })).agentRun
const cancel = (id: string, session = gateway.owner.session) =>
  gateway.graphql('mutation ($id: ID!) { cancelAgentRun(input: { id: $id }) { status error } }', { id }, { session })

describe('gatewayConfiguration', () => {
  test('shows agents, models, channels and mappings, and no credential', async () => {
    const { gatewayConfiguration: shown } = await gateway.ask(`{ gatewayConfiguration {
      agents { name isDefault model instructions } models { default aliases { alias model } providers { name type server } }
      channels { channel defaultTo server } hooks { isEnabled path mappings { name path authentication signatureScheme action template
        sessionKey agent headers { name values } where { path values } } } } }`)

    expect(shown.agents).toEqual([
      { name: 'main', isDefault: true, model: 'local/small', instructions: null },
      { name: 'sales', isDefault: false, model: 'local/small', instructions: 'Sell.' },
    ])
    expect(shown.models.aliases).toEqual([{ alias: 'quick', model: 'local/small' }])
    expect(shown.channels).toEqual([{ channel: 'TELEGRAM', defaultTo: '42', server: 'http://127.0.0.1:1' }])
    expect(shown.hooks.mappings[0]).toEqual({
      name: 'orders',
      path: 'shop',
      authentication: 'OWN_TOKEN',
      signatureScheme: null,
      action: 'AGENT',
      template: 'Order {{order.number}}',
      sessionKey: 'hook:order:{{order.number}}',
      agent: 'sales',
      headers: [
        { name: 'x-event', values: ['paid'] },
        { name: 'x-shop-token', values: ['[redacted]'] },
      ],
      where: [{ path: 'order.currency', values: ['EUR'] }],
    })
    expect(shown.hooks.mappings[1]).toMatchObject({ name: 'github', authentication: 'SIGNATURE', signatureScheme: 'GITHUB' })
    expect(JSON.stringify(shown)).not.toMatch(/super-secret|user:pass|key=y/)
  })

  test('is for the organization of the gateway alone', async () => {
    const { session } = await gateway.given.session()

    const { body } = await gateway.graphql('{ gatewayConfiguration { heartbeatMinutes } }', {}, { session })

    expect(body.errors[0].extensions.code).toBe('FORBIDDEN')
  })
})

describe('testHook', () => {
  const tested = async (input: object) =>
    (
      await gateway.ask(
        'query ($input: TestHookInput!) { testHook(input: $input) { status mapping error actions { kind payload idempotencyKey } } }',
        { input },
      )
    ).testHook
  const headers = [
    { name: 'X-Event', value: 'paid' },
    { name: 'x-shop-token', value: secret },
  ]

  test('tells what a mapping makes of a payload, and does nothing', async () => {
    const count = async () => await gateway.ask('{ agentRuns { nodes { id } } systemEvents { nodes { id } } }')
    const before = await count()

    const order = await tested({ name: 'shop', payload: { order: { number: 7, currency: 'EUR' } }, headers })
    const wake = await tested({ name: 'wake', payload: { text: 'Hello' } })

    expect(order).toEqual({
      status: 202,
      mapping: 'orders',
      error: null,
      actions: [
        {
          kind: 'AGENT',
          payload: {
            message: 'Order 7',
            agentId: 'sales',
            sessionKey: 'hook:order:7',
            wakeMode: 'now',
            deliver: true,
            channel: 'last',
          },
          idempotencyKey: null,
        },
      ],
    })
    expect(wake).toEqual({
      status: 200,
      mapping: null,
      error: null,
      actions: [{ kind: 'WAKE', payload: { text: 'Hello', mode: 'now' }, idempotencyKey: null }],
    })
    expect(await count()).toEqual(before)
  })

  test('tells why a request would be refused', async () => {
    const errors = [
      await tested({ name: 'shop', payload: { order: { currency: 'USD' } }, headers }),
      await tested({ name: 'unknown', payload: {} }),
      await tested({ name: 'agent', payload: { message: 'a', deliver: 'yes' } }),
    ]

    expect(errors.map(({ status, error }) => [status, error])).toEqual([
      [404, 'No mapping takes this payload with these headers'],
      [404, 'There is no hook named unknown'],
      [400, expect.stringContaining('deliver')],
    ])
  })
})

describe('hookPayloads', () => {
  const sent = (payload: object, headers: Record<string, string> = {}) =>
    gateway.rest('POST', '/hooks/shop', {
      body: payload,
      headers: { authorization: `Bearer ${secret}`, 'x-event': 'paid', 'x-shop-token': secret, ...headers },
    })
  const kept = async () =>
    (await gateway.ask('{ hookPayloads(hook: "shop") { nodes { hook mapping status error headers { name value } payload isTruncated } } }'))
      .hookPayloads.nodes

  test('are kept redacted and bounded, also of refused requests', async () => {
    await sent({ order: { number: 8, currency: 'EUR', customer: { card_number: '4111', password: 'x' } } })
    await until(async () => ((await kept()).length === 1 ? true : undefined))
    await sent({ order: { currency: 'EUR', text: 'x'.repeat(20_000) } }, { 'x-event': 'refunded' })
    const [refused, taken] = await until(async () => {
      const found = await kept()
      return found.length === 2 ? found : undefined
    })

    expect(taken).toMatchObject({
      hook: 'shop',
      mapping: 'orders',
      status: 202,
      error: null,
      payload: { order: { number: 8, currency: 'EUR', customer: { card_number: '[redacted]', password: '[redacted]' } } },
      isTruncated: false,
    })
    expect(taken.headers).toContainEqual({ name: 'x-event', value: 'paid' })
    expect(refused).toMatchObject({ mapping: null, status: 404, error: expect.stringContaining('No mapping takes'), isTruncated: true })
    expect(refused.payload).toHaveLength(16_384)
    expect(JSON.stringify([refused, taken])).not.toContain(secret)
  })

  test('are shown to no other organization', async () => {
    const { session } = await gateway.given.session()

    const { body } = await gateway.graphql('{ hookPayloads { nodes { id } } }', {}, { session })

    expect(body.errors[0].extensions.code).toBe('FORBIDDEN')
  })
})

describe('cancelAgentRun', () => {
  test('ends a run at work, whose reply is dropped, and the next of its conversation begins', async () => {
    const isAsked = Promise.withResolvers<void>()
    const mayAnswer = Promise.withResolvers<void>()
    let asked = 0
    model.behave(async ({ messages }) => {
      // Runs of other tests may still be at work.
      if (!messages.some(({ content }) => content?.includes('Begin'))) return { text: 'Done.' }
      if (++asked > 1) return { text: 'Second.' }
      isAsked.resolve()
      await mayAnswer.promise
      return { text: 'Too late.' }
    })
    const [first, second] = [await started('hook:cancel', 'Begin'), await started('hook:cancel', 'Begin')]
    await isAsked.promise

    const { body } = await cancel(first)
    const reply = await until(async () => (await runOf(second)).reply ?? undefined)
    mayAnswer.resolve()
    const again = await cancel(first)

    expect(body.data.cancelAgentRun).toEqual({ status: 'FAILED', error: 'Canceled by Test User' })
    expect(reply).toBe('Second.')
    expect(await runOf(first)).toEqual({ status: 'FAILED', error: 'Canceled by Test User', reply: null })
    expect(again.body.errors[0].extensions.code).toBe('CONFLICT')
  })

  test('is refused to members of other organizations', async () => {
    const id = await started('hook:theirs')
    const { session } = await gateway.given.session()

    expect((await cancel(id, session)).body.errors[0].extensions.code).toBe('FORBIDDEN')
  })
})

describe('turns and deliveries', () => {
  test('changes tells of each further turn while a run is at work', async () => {
    model.behave(() => ({ text: 'Done.' }))
    const stream = await openStream(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${gateway.owner.session}` },
      body: JSON.stringify({ query: 'subscription { changes(types: [AGENT_RUN_ADVANCED]) { type entityId } }' }),
    })
    await stream.next()
    const id = await started('hook:turns')

    // What it was given, and its reply; runs of other tests may still be at work.
    for (let told = 0; told < 2; ) {
      const { type, entityId } = (await stream.next()).data.data.changes
      expect(type).toBe('AGENT_RUN_ADVANCED')
      if (entityId === id) told++
    }
    stream.leave()
  })

  test('agentDeliveries lists messages to channels, newest first', async () => {
    model.behave(() => ({ text: 'To a channel.' }))
    const { startAgentRun } = await gateway.ask(
      'mutation { startAgentRun(input: { message: "Tell them", channel: TELEGRAM, to: "7", wakeMode: NEXT_HEARTBEAT }) { runId } }',
    )
    const list = (filter: string) =>
      gateway.ask(`{ agentDeliveries(filter: { ${filter} }) { nodes { runId recipient: to channel text } pageInfo { hasNextPage } } }`)

    const found = await until(async () => {
      const { agentDeliveries } = await list(`runId: "${startAgentRun.runId}"`)
      return agentDeliveries.nodes.length > 0 ? agentDeliveries : undefined
    })

    expect(found).toEqual({
      nodes: [{ runId: startAgentRun.runId, recipient: '7', channel: 'TELEGRAM', text: 'To a channel.' }],
      pageInfo: { hasNextPage: false },
    })
    expect((await list('channel: SLACK')).agentDeliveries.nodes).toEqual([])
  })
})
