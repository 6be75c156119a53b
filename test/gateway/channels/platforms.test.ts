// The drivers of the eight channels, each against a server that answers as its platform documents.

import type { ApiMethods } from '@grammyjs/types'
import type { ChatPostMessageArguments } from '@slack/web-api'
import type { RESTPostAPIChannelMessageJSONBody } from 'discord-api-types/v10'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../support/servers/platform.ts'
import { openChannels } from './given.ts'

const { platform, deliveryId, channel, send, faultOf } = await openChannels()

describe('whatsapp', () => {
  test('sends as the Cloud API asks, and takes the wamid', async () => {
    platform.reply(() => ({ body: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.1' }] } }))

    expect(await send('whatsapp', '+15550001111')).toBe('wamid.1')
    expect(platform.received[0]).toMatchObject({
      path: '/v23.0/4711/messages',
      headers: { authorization: 'Bearer wa-token' },
      body: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '15550001111',
        type: 'text',
        text: { body: 'Hello', preview_url: false },
      },
    })
  })

  test.each([
    [130_429, 400, 'retry', 5, true],
    [131_056, 400, 'retry', 6, false],
    [131_047, 400, 'refused', undefined, false],
    [190, 401, 'refused', undefined, false],
    [131_026, 400, 'refused', undefined, false],
    [1, 500, 'retry', undefined, false],
  ])('code %i is %s', async (code, status, fault, wait, isChannelWide) => {
    expect(await faultOf('whatsapp', { status, body: { error: { code, message: 'why' } } })).toMatchObject({ fault, wait, isChannelWide })
  })
})

describe('telegram', () => {
  test('sends to a topic of a group', async () => {
    platform.reply(() => ({ body: { ok: true, result: { message_id: 1 } } }))
    await send('telegram', '-10042:7')
    await send('telegram', '@news:8')
    await send('telegram', '-10042:topic:9')
    // The General topic.
    await send('telegram', '-10042:1')

    expect(platform.received.map(({ body }) => [body.chat_id, body.message_thread_id])).toEqual([
      ['-10042', 7],
      ['@news', 8],
      ['-10042', 9],
      ['-10042', undefined],
    ])
  })

  test('sends plain text and takes the message id', async () => {
    platform.reply(() => ({ body: { ok: true, result: { message_id: 77 } } }))

    expect(await send('telegram', '42', 'a *b* _c_')).toBe('77')
    expect(platform.received[0]?.path).toBe('/bot1:abc/sendMessage')
    // No parse_mode.
    const body: Parameters<ApiMethods<unknown>['sendMessage']>[0] = {
      chat_id: '42',
      text: 'a *b* _c_',
      link_preview_options: { is_disabled: true },
    }
    expect(platform.received[0]?.body).toEqual(body)
  })

  test('reads how long to wait, and which recipients are gone or have blocked the bot', async () => {
    expect(
      await faultOf('telegram', { status: 429, body: { ok: false, description: 'Too Many Requests', parameters: { retry_after: 35 } } }),
    ).toMatchObject({ fault: 'retry', wait: 35 })
    expect(await faultOf('telegram', { status: 400, body: { ok: false, description: 'Bad Request: chat not found' } })).toMatchObject({
      fault: 'refused',
      message: '400: Bad Request: chat not found',
    })
    expect(
      await faultOf('telegram', { status: 403, body: { ok: false, description: 'Forbidden: bot was blocked by the user' } }),
    ).toMatchObject({
      fault: 'refused',
    })
    expect(await faultOf('telegram', { status: 502, body: '<html>' })).toMatchObject({ fault: 'retry' })
  })
})

describe('discord', () => {
  test('sends with a nonce that makes repeats one, and mentions nobody', async () => {
    platform.reply(() => ({ body: { id: '999' } }))

    expect(await send('discord', '123')).toBe('999')
    const body: RESTPostAPIChannelMessageJSONBody = {
      content: 'Hello',
      nonce: 'd4e7f508123456789abcdef'.padStart(25, 'c3').slice(-25),
      enforce_nonce: true,
      allowed_mentions: { parse: [] },
      // SUPPRESS_EMBEDS
      flags: 4,
    }
    const [received] = platform.received
    expect(received?.body).toEqual(body)
    expect(received).toMatchObject({
      path: '/api/v10/channels/123/messages',
      headers: {
        authorization: 'Bot dc-token',
        'user-agent': expect.stringMatching(/^DiscordBot \(https:\/\/crm\.example, \d+\.\d+\.\d+\)$/),
      },
    })
    expect(String(platform.received[0]?.body.nonce)).toHaveLength(25)
  })

  test('waits fractions of seconds, alone or for the whole bot', async () => {
    expect(await faultOf('discord', { status: 429, body: { message: 'limited', retry_after: 0.65, global: false } })).toMatchObject({
      fault: 'retry',
      wait: 0.65,
      isChannelWide: false,
    })
    expect(await faultOf('discord', { status: 429, body: { retry_after: 3, global: true } })).toMatchObject({ isChannelWide: true })
    expect(await faultOf('discord', { status: 403, body: { message: 'Missing Access', code: 50_001 } })).toMatchObject({
      fault: 'refused',
      message: '403: Missing Access',
    })
  })
})

describe('slack', () => {
  test('sends and takes the timestamp', async () => {
    platform.reply(() => ({ body: { ok: true, channel: 'C1', ts: '1503435956.000247' } }))

    expect(await send('slack', 'C1')).toBe('1503435956.000247')
    expect(platform.received[0]).toMatchObject({
      path: '/api/chat.postMessage',
      headers: { authorization: 'Bearer xoxb', 'content-type': 'application/json; charset=utf-8' },
    })
    const body: ChatPostMessageArguments = { channel: 'C1', text: 'Hello', unfurl_links: false, unfurl_media: false }
    expect(platform.received[0]?.body).toEqual(body)
    await send('slack', 'C1', '<!channel> a < b & <https://x.example|y>')
    expect(platform.received[1]?.body.text).toBe('&lt;!channel&gt; a &lt; b &amp; &lt;https://x.example|y&gt;')
  })

  test.each([
    ['bold, italic and struck text', '**Total** is *due*, ~~not~~ __now__', '*Total* is _due_, ~not~ *now*'],
    ['links', 'See [the invoice](https://acme.example/i?a=1&b=2).', 'See <https://acme.example/i?a=1&amp;b=2|the invoice>.'],
    ['addresses', 'See https://acme.example/a_b_c or <https://x.example>', 'See https://acme.example/a_b_c or &lt;https://x.example&gt;'],
    ['a label that hides an address', '[https://bank.example](https://evil.example)', 'https://bank.example (<https://evil.example>)'],
    ['headings', '## The *week*\n\nGood.', '*The _week_*\n\nGood.'],
    ['lists', '- **one**\n- two\n  - three\n\n1. a\n2. b', '• *one*\n• two\n  • three\n\n1. a\n2. b'],
    [
      'code',
      'Run `a **b** <c>`:\n```ts\n  if (a < b) **x**\n```\nDone.',
      'Run `a **b** &lt;c&gt;`:\n```\n  if (a &lt; b) **x**\n```\nDone.',
    ],
    ['what is no markup', 'snake_case_name, 2 * 3 * 4, a & b', 'snake_case_name, 2 * 3 * 4, a &amp; b'],
    ['escaped marks', 'snake\\_case, 2 \\* 3, \\[x\\], \\<!here\\>', 'snake_case, 2 * 3, [x], &lt;!here&gt;'],
    ['what would be an address without its backslash', 'evil\\.example, https\\://x', 'evil\\.example, https\\://x'],
    ['bold text within words', '这是**重点**内容', '这是\u200b*重点*\u200b内容'],
    ['bold text that ends in punctuation', '这是**重点：**内容', '这是\u200b*重点：*\u200b内容'],
    [
      'bold text in quotation marks',
      '彼は**「はい」**と**言った**。그는 **(네)**라고',
      '彼は\u200b*「はい」*\u200bと\u200b*言った*。그는 *(네)*\u200b라고',
    ],
    ['bold text beside punctuation', '**重点**：内容**其他**。', '*重点*：内容\u200b*其他*。'],
    ['a label in bold', '[**the** `a_b` *one*](https://acme.example)', '<https://acme.example|the a_b one>'],
    ['a bold label that hides an address', '[**bank.example**](https://evil.example)', 'bank.example (<https://evil.example>)'],
    ['a link without a label', '[](https://acme.example)', '<https://acme.example>'],
    ['parentheses in an address', '[w](https://acme.example/a_(b))', '<https://acme.example/a_(b)|w>'],
    ['a fence within code', '````md\n```js\nx\n```\n````', '```\n`\u200b``js\nx\n`\u200b``\n```'],
    ['tildes', '~~~sh\n  ls\n~~~', '```\n  ls\n```'],
    ['quotes that are nested too deeply', '>'.repeat(4000), '&gt;'.repeat(4000)],
    ['lists that are nested too deeply', `${'- '.repeat(2000)}a`, `${'- '.repeat(2000)}a`],
  ])('writes %s in its own markup', async (_what, markdown, mrkdwn) => {
    platform.reply(() => ({ body: { ok: true, channel: 'C1', ts: '1' } }))
    await send('slack', 'C1', markdown)

    expect(platform.received[0]?.body.text).toBe(mrkdwn)
  })

  test('reads errors from responses with status 200', async () => {
    expect(await faultOf('slack', { body: { ok: false, error: 'channel_not_found' } })).toMatchObject({
      fault: 'refused',
      message: 'channel_not_found',
    })
    expect(await faultOf('slack', { body: { ok: false, error: 'internal_error' } })).toMatchObject({ fault: 'retry' })
    expect(
      await faultOf('slack', { status: 429, headers: { 'retry-after': '30' }, body: { ok: false, error: 'ratelimited' } }),
    ).toMatchObject({
      fault: 'retry',
      wait: 30,
      isChannelWide: true,
    })
  })
})

describe('mattermost', () => {
  test('posts and takes the id', async () => {
    platform.reply(() => ({ status: 201, body: { id: 'post1' } }))

    expect(await send('mattermost', 'channel1')).toBe('post1')
    expect(platform.received[0]).toMatchObject({
      path: '/api/v4/posts',
      headers: { authorization: 'Bearer mm-token' },
      body: { channel_id: 'channel1', message: 'Hello', pending_post_id: deliveryId, props: { unsafe_links: 'true' } },
    })
  })

  test('waits until the limit is reset', async () => {
    expect(await faultOf('mattermost', { status: 429, headers: { 'x-ratelimit-reset': '7' }, body: 'limit exceeded' })).toMatchObject({
      fault: 'retry',
      wait: 7,
    })
    expect(await faultOf('mattermost', { status: 403, body: { message: 'You do not have the permission' } })).toMatchObject({
      fault: 'refused',
    })
  })
})

describe('signal', () => {
  test('sends through the operator’s server and takes the timestamp', async () => {
    platform.reply(() => ({ status: 201, body: { timestamp: '1700000000000' } }))

    expect(await send('signal', '+49222')).toBe('1700000000000')
    expect(platform.received[0]).toMatchObject({
      path: '/v2/send',
      headers: { authorization: 'Bearer sig-token' },
      body: { message: 'Hello', number: '+49111', recipients: ['+49222'] },
    })
  })

  test('waits when the account is limited', async () => {
    expect(await faultOf('signal', { status: 429, body: { error: 'rate limit', challenge_tokens: ['x'] } })).toMatchObject({
      fault: 'retry',
      wait: 300,
      isChannelWide: true,
    })
    expect(await faultOf('signal', { status: 400, body: { error: 'Unregistered user' } })).toMatchObject({
      fault: 'refused',
      message: '400: Unregistered user',
    })
  })
})

describe('imessage', () => {
  test('sends through BlueBubbles, by address or chat guid', async () => {
    platform.reply(() => ({ body: { status: 200, data: { guid: 'G-1' } } }))

    expect(await send('imessage', '+15550001111')).toBe('G-1')
    await send('imessage', 'iMessage;+;chat123')
    expect(platform.received[0]).toMatchObject({
      path: '/api/v1/message/text',
      query: { guid: 'p@ss' },
      body: { chatGuid: 'iMessage;-;+15550001111', tempGuid: deliveryId, message: 'Hello', method: 'apple-script', ddScan: false },
    })
    expect(platform.received[1]?.body.chatGuid).toBe('iMessage;+;chat123')
  })

  test('reports the server’s reason without the password', async () => {
    const refused = await faultOf('imessage', {
      status: 401,
      body: { message: 'Unauthorized', error: { message: 'You are not authorized' } },
    })
    expect(refused).toMatchObject({ fault: 'refused', message: '401: You are not authorized' })
    expect(JSON.stringify(refused)).not.toContain('p@ss')
  })
})

describe('msteams', () => {
  const token = { access_token: 'teams-token', expires_in: 3600 }
  const answer = (path: string, body: Reply) => (path.startsWith('/login') ? { body: token } : body)

  test('gets a token once, and posts activities with it', async () => {
    platform.reply(({ path }) => answer(path, { status: 201, body: { id: 'activity-1' } }))
    const driver = channel('msteams')

    expect(await send('msteams', '19:abc@thread.tacv2', 'Hello', driver)).toBe('activity-1')
    await send('msteams', '19:abc@thread.tacv2', 'Again', driver)

    expect(platform.received.map(({ path }) => path)).toEqual([
      '/login/tenant/oauth2/v2.0/token',
      '/teams/v3/conversations/19:abc@thread.tacv2/activities',
      '/teams/v3/conversations/19:abc@thread.tacv2/activities',
    ])
    expect(platform.received[0]?.body).toEqual({
      grant_type: 'client_credentials',
      client_id: 'app',
      client_secret: 'secret',
      scope: 'https://api.botframework.com/.default',
    })
    expect(platform.received[1]).toMatchObject({
      headers: { authorization: 'Bearer teams-token' },
      body: { type: 'message', text: 'Hello', textFormat: 'plain' },
    })
  })

  test('gets another token when one was revoked', async () => {
    platform.reply(({ path }) => answer(path, { status: 401 }))
    const driver = channel('msteams')
    await expect(send('msteams', 'c', 'a', driver)).rejects.toMatchObject({ fault: 'retry' })

    platform.reply(({ path }) => answer(path, { status: 201, body: { id: '2' } }))
    expect(await send('msteams', 'c', 'a', driver)).toBe('2')
    expect(platform.received.filter(({ path }) => path.startsWith('/login'))).toHaveLength(2)
  })

  test('without a token nothing was sent', async () => {
    expect(await faultOf('msteams', { status: 401, body: { error: 'invalid_client' } })).toMatchObject({
      fault: 'refused',
      message: '401: no token: invalid_client',
    })
    expect(await faultOf('msteams', { breaks: true })).toMatchObject({ fault: 'retry' })
    expect(
      await faultOf('msteams', path =>
        answer(path, { status: 429, headers: { 'retry-after': '2' }, body: { error: { message: 'slow' } } }),
      ),
    ).toMatchObject({
      fault: 'retry',
      wait: 2,
    })
  })
})
