// What holds for the driver of every channel.

import { describe, expect, test } from 'vitest'
import { startPlatform } from '../../support/servers/platform.ts'
import { openChannels } from './given.ts'

const { platform, deliveryId, channel, send } = await openChannels()

describe('every channel', () => {
  const names = ['whatsapp', 'telegram', 'discord', 'slack', 'mattermost', 'signal', 'imessage', 'msteams'] as const

  test.each(names)('%s: a refused connection is tried again', async name => {
    const gone = await startPlatform()
    await gone.close()
    const error = await send(name, 'x', 'a', channel(name, gone.baseUrl)).catch((thrown: unknown) => thrown)

    expect(error).toMatchObject({ fault: 'retry', message: 'the channel cannot be reached (ECONNREFUSED)' })
  })

  test.each(names)('%s: a missing response is unknown, not failed', async name => {
    platform.reply(({ path }) => (path.startsWith('/login') ? { body: { access_token: 't' } } : { breaks: true }))
    await expect(send(name, 'x')).rejects.toMatchObject({ fault: 'unknown' })

    const deadline = new AbortController()
    platform.reply(({ path }) => {
      if (path.startsWith('/login')) return { body: { access_token: 't' } }
      setTimeout(() => deadline.abort(), 20)
      return { afterMs: 60_000 }
    })
    const error = await channel(name)
      .send({ to: 'x', text: 'a', deliveryId, signal: deadline.signal })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ fault: 'unknown' })
  })

  test.each(names)('%s: success without an id is no acknowledgment', async name => {
    platform.reply(({ path }) => (path.startsWith('/login') ? { body: { access_token: 't' } } : { body: { ok: true, result: {} } }))
    await expect(send(name, 'x')).rejects.toMatchObject({ fault: 'unknown' })
  })

  test.each(['discord', 'msteams'] as const)('%s: a recipient leads to no other path', async name => {
    platform.reply(() => ({ body: { access_token: 't' } }))
    for (const to of ['..', '.', '%2e%2E'])
      await expect(send(name, to)).rejects.toMatchObject({ fault: 'refused', message: `"${to}" is no recipient` })

    expect(platform.received.filter(({ path }) => !path.startsWith('/login'))).toEqual([])
  })

  test.each(names)('%s: gets a User-Agent', async name => {
    platform.reply(() => ({ body: { access_token: 't' } }))
    await send(name, 'x').catch(() => {})

    const agent = name === 'discord' ? /^DiscordBot \(/ : /^Rolocom\/\d+\.\d+\.\d+$/
    expect(platform.received.map(({ headers }) => agent.test(String(headers['user-agent'])))).toEqual(platform.received.map(() => true))
  })

  test.each(names)('%s: sends no credentials to where a redirect leads', async name => {
    platform.reply(({ path }) =>
      path.startsWith('/login') ? { body: { access_token: 't' } } : { status: 302, headers: { location: `${platform.baseUrl}/elsewhere` } },
    )
    await expect(send(name, 'x')).rejects.toMatchObject({ fault: 'refused' })
    expect(platform.received.some(({ path }) => path === '/elsewhere')).toBe(false)
  })
})
