// Messaging channels, as the gateway uses them: one message to one recipient, once.

import type { ChannelName } from './words.ts'

export interface OutgoingMessage {
  /** The recipient, in the channel's own words. */
  to: string
  text: string
  /** The same in every attempt, for channels that recognize repeats. */
  deliveryId: string
  signal: AbortSignal
}

export interface Channel {
  /** The longest text of one message. */
  limit: number
  /** How the channel counts it. */
  unit: 'characters' | 'utf16' | 'bytes'
  /** Whether a message that is sent twice with one delivery id arrives once. */
  deduplicates: boolean
  /** Resolves with the channel's own id of the message. Throws DeliveryError. */
  send(message: OutgoingMessage): Promise<string>
}

/** The configured channels. */
export type Channels = Partial<Record<ChannelName, Channel>>

export type DeliveryFault =
  /** It was not sent and never will be: the recipient, the credentials, the text. */
  | 'refused'
  /** It was not sent, and may be sent later. */
  | 'retry'
  /** It may have been sent: the answer never came. */
  | 'unknown'

export class DeliveryError extends Error {
  readonly fault: DeliveryFault
  /** When the channel says to come again. */
  readonly retryAfterSeconds: number | undefined
  /** Whether everybody on this channel has to wait, not just this recipient. */
  readonly isChannelWide: boolean

  constructor(
    fault: DeliveryFault,
    message: string,
    {
      retryAfterSeconds,
      isChannelWide = false,
      cause,
    }: { retryAfterSeconds?: number | undefined; isChannelWide?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.fault = fault
    this.retryAfterSeconds = retryAfterSeconds
    this.isChannelWide = isChannelWide
  }
}
