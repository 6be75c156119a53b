// A platform that answers as the real ones document, and the drivers that send to it.

import { beforeEach } from 'vitest'
import type { ChannelName } from '../../../src/config/gateway/enums.ts'
import { type Channel, DeliveryError } from '../../../src/gateway/channels/channel.ts'
import { createChannels } from '../../../src/gateway/channels/configured.ts'
import { keepOpen } from '../../support/open.ts'
import { type Reply, startPlatform } from '../../support/servers/platform.ts'

/** The platform of a file, which forgets before each test. */
export async function openChannels() {
  const platform = await keepOpen(startPlatform())
  beforeEach(() => {
    platform.received.length = 0
  })

  const deliveryId = '019a1b2c-3d4e-7f50-8123-456789abcdef'

  const channel = (name: ChannelName, baseUrl = platform.baseUrl): Channel => {
    const made = createChannels(
      {
        whatsapp: { accessToken: 'wa-token', phoneNumberId: '4711', apiVersion: 'v23.0', baseUrl },
        telegram: { botToken: '1:abc', baseUrl },
        discord: { botToken: 'dc-token', baseUrl },
        slack: { botToken: 'xoxb', baseUrl },
        mattermost: { token: 'mm-token', baseUrl },
        signal: { number: '+49111', baseUrl, token: 'sig-token' },
        imessage: { password: 'p@ss', baseUrl, method: 'apple-script' },
        msteams: { tenantId: 'tenant', appId: 'app', appPassword: 'secret', serviceUrl: `${baseUrl}/teams`, loginUrl: `${baseUrl}/login` },
      },
      'https://crm.example',
    )[name]
    if (!made) throw new Error(`${name} is not configured`)
    return made
  }

  const send = (name: ChannelName, to: string, text = 'Hello', driver = channel(name)) =>
    driver.send({ to, text, deliveryId, signal: AbortSignal.timeout(20_000) })

  async function faultOf(name: ChannelName, reply: Reply | ((path: string) => Reply), to = 'x') {
    platform.reply(({ path }) => (typeof reply === 'function' ? reply(path) : reply))
    const error = await send(name, to).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof DeliveryError)) throw new Error(`expected a DeliveryError, not ${error}`)
    return { fault: error.fault, message: error.message, wait: error.retryAfterSeconds, isChannelWide: error.isChannelWide }
  }

  return { platform, deliveryId, channel, send, faultOf }
}
