// What of the gateway's configuration names something that is not there: said at start, since it shows only when a message arrives.

import type { GatewaySettings } from './settings.ts'
import { channelNames } from './words.ts'

/** A sentence for each: the setting, and what does not work without. */
export function unconfigured({ hooks, heartbeat, channels, lastChannelFallback }: GatewaySettings): string[] {
  const isThere = (name: string) => channelNames.some(known => known === name && channels[known] !== undefined)
  const signing = hooks.presets.flatMap(name =>
    name === 'gmail' || hooks.presetSecrets[name]
      ? []
      : [`hooks.presetSecrets.${name} is not set: ${name} signs, and does not send the hook token`],
  )
  if (!channelNames.some(isThere))
    return [...signing, 'no channel is configured: replies of agents are kept, and sent nowhere (channels in GATEWAY_CONFIG)']
  const named = [
    ...hooks.mappings.map(({ id, channel }) => [`hooks.mappings ${id}`, channel] as const),
    ...(heartbeat.deliver ? [['heartbeat.channel', heartbeat.channel] as const] : []),
    ['lastChannelFallback', lastChannelFallback] as const,
  ]
  const missing = named.flatMap(([where, channel]) =>
    channel === undefined || channel === 'last' || isThere(channel)
      ? []
      : [`${where}: the channel ${channel} is not configured, so its replies are undeliverable (channels.${channel})`],
  )
  return [...signing, ...missing]
}
