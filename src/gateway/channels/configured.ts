// The channels that the configuration has credentials for.

import type { Channel, Channels } from '../channels.ts'
import type { ChannelSettings } from '../settings-shape.ts'
import type { ChannelName } from '../words.ts'
import { discord } from './discord.ts'
import { imessage } from './imessage.ts'
import { mattermost } from './mattermost.ts'
import { msteams } from './msteams.ts'
import { signal } from './signal.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'
import { whatsapp } from './whatsapp.ts'

const drivers = { whatsapp, telegram, discord, slack, mattermost, signal, imessage, msteams } satisfies Record<ChannelName, unknown>

export function configuredChannels(settings: ChannelSettings): Channels {
  const made = Object.entries(drivers).flatMap(([name, driver]) => {
    const given = settings[name as ChannelName]
    return given ? [[name, (driver as (given: unknown) => Channel)(given)] as const] : []
  })
  return Object.fromEntries(made)
}
