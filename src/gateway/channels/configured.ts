// The channels that the configuration has credentials for.

import type { ChannelName } from '../../config/gateway/enums.ts'
import type { ChannelSettings } from '../../config/gateway/shape.ts'
import type { Channel, Channels } from './channel.ts'
import { discord } from './discord.ts'
import { imessage } from './imessage.ts'
import { mattermost } from './mattermost.ts'
import { msteams } from './msteams.ts'
import { signal } from './signal.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'
import { whatsapp } from './whatsapp.ts'

const drivers = { whatsapp, telegram, discord, slack, mattermost, signal, imessage, msteams } satisfies Record<ChannelName, unknown>

/** `publicUrl` is this server's address, which some channels want to know. */
export function createChannels(settings: ChannelSettings, publicUrl: string): Channels {
  const made = Object.entries(drivers).flatMap(([name, driver]) => {
    const given = settings[name as ChannelName]
    return given ? [[name, (driver as (given: unknown, publicUrl: string) => Channel)(given, publicUrl)] as const] : []
  })
  return Object.fromEntries(made)
}
