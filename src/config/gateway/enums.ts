// The channels, levels and modes that the gateway's settings, doors and tables share.

import { z } from 'zod'

export const channelNames = ['whatsapp', 'telegram', 'discord', 'slack', 'mattermost', 'signal', 'imessage', 'msteams'] as const
export type ChannelName = (typeof channelNames)[number]
/** The channels that a request can name. `last` is the last channel of the main session. */
export const channelChoices = ['last', ...channelNames] as const
export type ChannelChoice = (typeof channelChoices)[number]

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]

/** Hooks spell `next_heartbeat` as `next-heartbeat`. */
const wakeModes = ['now', 'next_heartbeat'] as const
export type WakeMode = (typeof wakeModes)[number]

/** The session of heartbeats, which sees all system events. */
export const mainSessionKey = 'main'

/** A day: for at most that long, a run occupies one of the `maxConcurrent` slots. */
export const maxSeconds = 86_400
export const timeoutSeconds = z.number().min(1).max(maxSeconds)

export const text = z.string().trim().min(1)
