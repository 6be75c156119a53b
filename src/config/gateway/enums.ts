// The channels, levels and modes that the gateway's settings, doors and tables share.

import { z } from 'zod'

export const channelNames = ['whatsapp', 'telegram', 'discord', 'slack', 'mattermost', 'signal', 'imessage', 'msteams'] as const
export type ChannelName = (typeof channelNames)[number]
/** The channel of a request: `last` is the last one of the main session. */
export const channelChoices = ['last', ...channelNames] as const
export type ChannelChoice = (typeof channelChoices)[number]

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]

/** Hooks spell `next_heartbeat` as `next-heartbeat`. */
const wakeModes = ['now', 'next_heartbeat'] as const
export type WakeMode = (typeof wakeModes)[number]

/** The session of heartbeats, which sees all system events. */
export const mainSessionKey = 'main'

/** A day: a run holds a place of `maxConcurrent` that long at most. */
export const maxSeconds = 86_400
export const timeoutSeconds = z.number().min(1).max(maxSeconds)

export const text = z.string().trim().min(1)
