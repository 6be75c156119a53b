// The port of messaging channels: sends one message to one recipient.

import type { ChannelName } from '../../config/gateway/enums.ts'

interface OutgoingMessage {
  /** The recipient's id in the channel. */
  to: string
  text: string
  /** The same for every attempt, so that the channel can recognize repeats. */
  deliveryId: string
  signal: AbortSignal
}

export interface Channel {
  /** The maximum length of a message. */
  limit: number
  /** The unit of `limit`. */
  unit: 'characters' | 'utf16' | 'bytes'
  /** Whether the channel recognizes repeats by the delivery id. */
  deduplicates: boolean
  /** Resolves with the channel's id of the message. Throws DeliveryError. */
  send(message: OutgoingMessage): Promise<string>
}

/** The configured channels. */
export type Channels = Partial<Record<ChannelName, Channel>>

export type DeliveryFault =
  /** It was not sent, and a repeat would fail too: because of the recipient, the credentials or the text. */
  | 'refused'
  /** It was not sent, and a repeat may succeed. */
  | 'retry'
  /** It may have been sent: there was no response. */
  | 'unknown'

export class DeliveryError extends Error {
  readonly fault: DeliveryFault
  /** Seconds after which the channel wants the repeat. */
  readonly retryAfterSeconds: number | undefined
  /** Whether all recipients of the channel have to wait. */
  readonly isChannelWide: boolean
  /** The id that the recipient has from now on, if it has another one. The message is sent there at once. */
  readonly movedTo: string | undefined

  constructor(
    fault: DeliveryFault,
    message: string,
    {
      retryAfterSeconds,
      isChannelWide = false,
      movedTo,
      cause,
    }: { retryAfterSeconds?: number | undefined; isChannelWide?: boolean; movedTo?: string; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.fault = fault
    this.retryAfterSeconds = retryAfterSeconds
    this.isChannelWide = isChannelWide
    this.movedTo = movedTo
  }
}
