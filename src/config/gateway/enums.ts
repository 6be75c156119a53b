// The gateway's words: the channels, levels and modes that its settings, its doors and its tables share.

import { z } from 'zod'

export const channelNames = ['whatsapp', 'telegram', 'discord', 'slack', 'mattermost', 'signal', 'imessage', 'msteams'] as const
export type ChannelName = (typeof channelNames)[number]
/** What a sender may ask for: `last` is the main session's last channel. */
export const channelChoices = ['last', ...channelNames] as const
export type ChannelChoice = (typeof channelChoices)[number]

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ThinkingLevel = (typeof thinkingLevels)[number]

/** `next_heartbeat` is `next-heartbeat` in hooks. */
export const wakeModes = ['now', 'next_heartbeat'] as const
export type WakeMode = (typeof wakeModes)[number]

/** The session every wake goes to. */
export const mainSessionKey = 'main'

/** A day at most: what runs longer is a process of its own. */
export const longestSeconds = 86_400
export const timeoutSeconds = z.number().min(1).max(longestSeconds)

export const text = z.string().trim().min(1)
