// What a run sees: only runs whose scopes are within its own, whatever conversation they share; and which recipients become `last`.

import { beforeEach, describe, expect, test } from 'vitest'
import { query } from '../../support/database/database.ts'
import { openGateway, until } from '../../support/gateway.ts'
import { keepOpen } from '../../support/open.ts'
import { type ModelRequest, startModel } from '../../support/servers/model.ts'
import { startPlatform } from '../../support/servers/platform.ts'

const mapped = { deliver: false, wakeMode: 'next-heartbeat', sessionKey: '{{key}}', messageTemplate: '{{text}}' }
const model = await keepOpen(startModel())
const platform = await keepOpen(startPlatform())
const gateway = await openGateway({
  config: {
    models: { default: 'local/small', providers: { local: model.provider } },
    heartbeat: { everyMinutes: 0 },
    hooks: {
      mappings: [
        { id: 'reader', match: { path: 'reader' }, ...mapped, scopes: ['contacts:read'] },
        { id: 'writer', match: { path: 'writer' }, ...mapped, scopes: ['contacts:read', 'contacts:write'] },
        { id: 'trusted', match: { path: 'trusted' }, ...mapped, scopes: ['*'], auth: { token: 'a-token-of-its-own-0123' } },
        {
          id: 'addressed',
          match: { path: 'addressed' },
          messageTemplate: 'a',
          channel: 'telegram',
          to: '{{to}}',
          wakeMode: 'next-heartbeat',
        },
      ],
    },
    channels: { telegram: { botToken: '1:abc', baseUrl: platform.baseUrl, defaultTo: '1000' } },
    lastChannelFallback: 'telegram',
  },
})
await gateway.ask('mutation { createContact(input: { email: "ada@secret.example", firstName: "Ada" }) { id } }')
beforeEach(() => {
  model.requests.length = 0
  let id = 0
  platform.reply(() => ({ body: { ok: true, result: { message_id: ++id } } }))
})

const isHeartbeat = ({ messages }: ModelRequest) =>
  messages.findLast(({ role }) => role === 'user')?.content?.startsWith('This is a heartbeat')
/** Everything that the model was given for the last run. */
const seen = () => JSON.stringify(model.requests.filter(request => !isHeartbeat(request)).at(-1)?.messages)
/** The texts of the conversation, without the instructions. */
const conversation = () =>
  model.requests
    .filter(request => !isHeartbeat(request))
    .at(-1)
    ?.messages.slice(1)
    .map(({ role, content }) => `${role}: ${content?.split('\n').find(line => !line.startsWith('<<<'))}`)
const quiet = { wakeMode: 'next-heartbeat', deliver: false }
const byHook = async (name: string, key: string, text: string) => {
  const body = name === 'agent' ? { message: text, sessionKey: key, ...quiet } : { text, key }
  const { body: accepted } = await gateway.hook(name, body, name === 'trusted' ? { authorization: 'Bearer a-token-of-its-own-0123' } : {})
  return gateway.finished(accepted.runId)
}
const byMember = async (sessionKey: string, message: string, input: Record<string, unknown> = {}) => {
  const variables = { input: { message, sessionKey, wakeMode: 'NEXT_HEARTBEAT', deliver: false, ...input } }
  const { startAgentRun } = await gateway.ask(
    'mutation ($input: StartAgentRunInput!) { startAgentRun(input: $input) { runId } }',
    variables,
  )
  return gateway.ended(startAgentRun.runId)
}

describe('in a conversation that two senders and a member share', () => {
  test('a hook without scopes sees no word of the member’s run, nor of its tools', async () => {
    model.behave(request => {
      const asked = request.messages.at(-1)
      if (asked?.role === 'tool') return { text: 'Secretly, Ada has signed.' }
      return asked?.content?.includes('Who') ? { calls: [{ name: 'find_contacts', input: { text: 'Ada' } }] } : { text: 'Noted.' }
    })
    await byHook('agent', 'shared', 'First sender')
    await byMember('shared', 'Who has signed?')
    expect(seen()).toContain('ada@secret.example')
    await byHook('agent', 'shared', 'Second sender')

    expect(seen()).not.toMatch(/secret|signed|find_contacts/i)
    expect(conversation()).toEqual(['user: First sender', 'assistant: Noted.', 'user: Second sender'])
  })

  test('each run sees those whose scopes are within its own', async () => {
    model.behave(request => ({ text: `Answer to ${request.messages.at(-1)?.content?.match(/\w+ words/)?.[0]}` }))
    await byHook('agent', 'nested', 'plain words')
    await byHook('reader', 'nested', 'reader words')
    await byHook('writer', 'nested', 'writer words')
    await byHook('trusted', 'nested', 'trusted words')
    const of = async (name: string) => {
      await byHook(name, 'nested', `${name} again`)
      return [...new Set([...seen().matchAll(/Answer to (\w+) words/g)].map(([, whose]) => whose))]
    }

    expect([await of('agent'), await of('reader'), await of('writer'), await of('trusted')]).toEqual([
      ['plain'],
      ['plain', 'reader'],
      ['plain', 'reader', 'writer'],
      ['plain', 'reader', 'writer', 'trusted'],
    ])
  })

  test('the reason of a wider run’s failure is not told either, nor when the narrower run is tried again', async () => {
    model.behave(() => ({ status: 400 }))
    await byHook('writer', 'failing', 'writer words')
    const failed = await byHook('agent', 'failing', 'plain words')
    await byHook('writer', 'failing', 'more writer words')
    model.behave(() => ({ text: 'Now.' }))
    await gateway.ask('mutation ($id: ID!) { retryAgentRun(input: { id: $id }) { id } }', { id: failed.runId })
    await gateway.finished(failed.runId)

    expect(conversation()).toEqual(['user: plain words'])
  })
})

describe('a heartbeat', () => {
  const prompts = () => model.requests.filter(isHeartbeat).map(({ messages }) => JSON.stringify(messages))
  const afterWake = async (text: string) => {
    await gateway.hook('wake', { text })
    return until(async () => prompts().find(prompt => prompt.includes(text)))
  }

  test('is told that a wider run has ended, and neither its summary nor its name', async () => {
    model.behave(() => ({ text: 'The salary is 4711.' }))
    const run = await byMember('private', 'What is the salary?', { name: 'Salaries' })
    const prompt = await afterWake('look now')

    expect(prompt).toContain(`run ${run.id}`)
    expect(prompt).toContain('Its summary is left out, because the run has scopes that this heartbeat does not have.')
    expect(prompt).not.toMatch(/4711|Salar/)
    const { systemEvents } = await gateway.ask('{ systemEvents(first: 20) { nodes { text runId } } }')
    expect(systemEvents.nodes).toContainEqual({ text: 'Hook Salaries: The salary is 4711.', runId: run.id })
  })

  test('does not see what a member said in the main session, and the member sees the heartbeat', async () => {
    model.behave(request => ({ text: isHeartbeat(request) ? 'The lights are on.' : 'Between you and me.' }))
    await afterWake('the lights')
    await byMember('main', 'A word in private')
    expect(seen()).toContain('The lights are on.')

    expect(await afterWake('the doors')).not.toMatch(/in private|Between you/)
  })
})

describe('a sender that asks about a run', () => {
  test('learns nothing of one that a member began, or that is a heartbeat', async () => {
    model.behave(() => ({ text: 'For members.' }))
    const { id } = await byMember('theirs', 'a')
    const [heartbeat] = await query<{ id: string }>(gateway.database.url, `select id from gateway_runs where kind = 'heartbeat' limit 1`)

    for (const one of [id, heartbeat?.id]) expect((await gateway.hook(`runs/${one}`, undefined, {}, 'GET')).status).toBe(404)
  })

  test('learns the end of one with further scopes, and not its words', async () => {
    model.behave(() => ({ text: 'What the record says.' }))

    expect(await byHook('trusted', 'hook:told', 'a')).toMatchObject({
      status: 'completed',
      summary: '(left out: the run has scopes that runs of the hook token do not have)',
      error: null,
    })
    expect(await byHook('reader', 'hook:own', 'a')).toMatchObject({ summary: 'Hook: What the record says.' })
  })
})

describe('a member who leaves', () => {
  const startRun = 'mutation ($input: StartAgentRunInput!) { startAgentRun(input: $input) { runId } }'
  const ways = {
    'has left': (userId: string) => gateway.ask('mutation ($userId: ID!) { removeMember(input: { userId: $userId }) { id } }', { userId }),
    'is a viewer now': (userId: string) =>
      gateway.ask('mutation ($userId: ID!) { changeMemberRole(input: { userId: $userId, role: VIEWER }) { id } }', { userId }),
  }
  const memberWho = async () => {
    const { session, userId } = await gateway.given.member({ orgId: gateway.owner.orgId, role: 'member' })
    const start = async (message: string) => {
      const input = { message, wakeMode: 'NEXT_HEARTBEAT', channel: 'TELEGRAM', to: '4242' }
      return (await gateway.graphql(startRun, { input }, { session })).body.data.startAgentRun.runId as string
    }
    return { userId, start }
  }

  test.each(Object.entries(ways))('gets no answer of a run that was at work: who %s', async (_how, leave) => {
    const { userId, start } = await memberWho()
    const asked = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    model.behave(async () => {
      asked.resolve()
      await gone.promise
      return { calls: [{ name: 'find_contacts', input: { text: 'Ada' } }] }
    })
    const runId = await start('Who has signed?')
    await asked.promise
    await leave(userId)
    gone.resolve()

    expect(await gateway.ended(runId)).toMatchObject({
      status: 'FAILED',
      error: 'the member who asked for it has left the organization, or may only read there now',
      delivery: { status: 'SKIPPED' },
    })
    expect(seen()).not.toContain('ada@secret.example')
  })

  test('is asked for no more: who tries the run again has it', async () => {
    const { userId, start } = await memberWho()
    model.behave(() => ({ status: 400 }))
    const runId = await start('Who has signed?')
    await gateway.ended(runId)
    await ways['has left'](userId)
    model.behave(() => ({ text: 'Ada.' }))
    await gateway.ask('mutation ($id: ID!) { retryAgentRun(input: { id: $id }) { id } }', { id: runId })

    expect(await gateway.ended(runId)).toMatchObject({ status: 'COMPLETED', reply: 'Ada.' })
  })

  test('takes along the default recipient that the member has named', async () => {
    const { userId, start } = await memberWho()
    model.behave(() => ({ text: 'The reply.' }))
    const before = await gateway.ended(await start('a'))
    const ofOthers = async () => (await byMember(`after-${Math.random()}`, 'a', { deliver: true })).delivery.to
    const [first, second] = [await ofOthers(), await ofOthers()]
    await ways['has left'](userId)

    expect([before.delivery.to, first, second, await ofOthers(), await ofOthers()]).toEqual(['4242', '4242', '4242', '1000', '1000'])
  })
})

describe('the default recipient', () => {
  beforeEach(() => query(gateway.database.url, 'update gateway_sessions set last_channel = null, last_recipient = null'))
  const toMember = async () => (await byMember(`of-${Math.random()}`, 'a', { deliver: true })).delivery.to

  test.each([
    ['a hook', () => gateway.hook('agent', { message: 'a', channel: 'telegram', to: '666', wakeMode: 'next-heartbeat' })],
    ['a hook without a channel', () => gateway.hook('agent', { message: 'a', to: '666', wakeMode: 'next-heartbeat' })],
    ['a mapped hook', () => gateway.hook('addressed', { to: '666' })],
  ])('is never one that %s named', async (_what, send) => {
    model.behave(() => ({ text: 'The reply.' }))
    const { body } = await send()
    expect((await gateway.finished(body.runId)).delivery).toMatchObject({ status: 'sent', to: '666' })

    expect(await toMember()).toBe('1000')
  })

  test('is the last one that a member named, for hooks too', async () => {
    model.behave(() => ({ text: 'The reply.' }))
    await byMember('named', 'a', { deliver: true, channel: 'TELEGRAM', to: '7' })
    await gateway.hook('addressed', { to: '666' })

    expect(await toMember()).toBe('7')
    const { body } = await gateway.hook('agent', { message: 'a', wakeMode: 'next-heartbeat' })
    expect((await gateway.finished(body.runId)).delivery).toMatchObject({ status: 'sent', to: '7' })
  })
})
