// Warnings at start about settings that name a channel or secret that is not configured. They would fail only when a message arrives.

import { channelNames } from '../config/gateway/enums.ts'
import type { GatewaySettings } from '../config/gateway/file.ts'

/** A sentence for each: the setting, and what will not work. */
export function warnUnconfigured({ hooks, heartbeat, channels, lastChannelFallback }: GatewaySettings): string[] {
  const isConfigured = (name: string) => channelNames.some(known => known === name && channels[known] !== undefined)
  const signing = hooks.presets.flatMap(name =>
    name === 'gmail' || hooks.presetSecrets[name]
      ? []
      : [`hooks.presetSecrets.${name} is not set: ${name} signs, and does not send the hook token`],
  )
  if (!channelNames.some(isConfigured))
    return [...signing, 'no channel is configured: replies of agents are kept, and sent nowhere (channels in GATEWAY_CONFIG)']
  const named = [
    ...hooks.mappings.map(({ id, channel }) => [`hooks.mappings ${id}`, channel] as const),
    ...(heartbeat.deliver ? [['heartbeat.channel', heartbeat.channel] as const] : []),
    ['lastChannelFallback', lastChannelFallback] as const,
  ]
  const missing = named.flatMap(([where, channel]) =>
    channel === undefined || channel === 'last' || isConfigured(channel)
      ? []
      : [`${where}: the channel ${channel} is not configured, so its replies are undeliverable (channels.${channel})`],
  )
  return [...signing, ...missing]
}
