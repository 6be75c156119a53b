// The frames of ConversationRelay, by which a carrier hears and speaks, and this server reads and writes text.
// Source: Twilio's "ConversationRelay WebSocket messages"; Telnyx sends the same ones.

import { z } from 'zod'
import { parseJson } from '../../../kernel/input/json-text.ts'
import { storableText } from '../../../kernel/input/storable.ts'
import { maxSaid } from '../limits.ts'

const text = (maxLength: number) => z.string().transform(value => storableText(value, { maxLength }))
// Older pages of Twilio show numbers as texts.
const number = z.union([z.number(), z.string().transform(Number)]).optional()

const frame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('setup'),
    sessionId: text(200).optional(),
    /** The carrier's id of the call. */
    callSid: text(200).optional(),
    callControlId: text(200).optional(),
  }),
  // Longer words are cut: nobody says 4,000 characters at once.
  z.object({ type: z.literal('prompt'), voicePrompt: text(maxSaid), lang: text(35).optional(), last: z.boolean().default(true) }),
  z.object({ type: z.literal('dtmf'), digit: z.string().regex(/^[0-9*#A-D]$/) }),
  z.object({ type: z.literal('interrupt'), utteranceUntilInterrupt: text(10_000).default(''), durationUntilInterruptMs: number }),
  z.object({ type: z.literal('error'), description: text(1000).default('') }),
  z.object({ type: z.literal('info'), name: text(100), value: z.unknown().optional() }),
])

/** A frame from the carrier. */
export type Heard = z.output<typeof frame>

/** A frame to the carrier. Tokens are joined as they are. */
export type Said =
  | { type: 'text'; token: string; last: boolean; lang?: string }
  | { type: 'sendDigits'; digits: string }
  | { type: 'end'; handoffData: string }

/** The frame in a message; null for one that the protocol does not know. */
export function frameIn(message: string): Heard | null {
  let value: unknown
  try {
    value = parseJson(message, { values: 1000, levels: 16 })
  } catch {
    return null
  }
  const read = frame.safeParse(value)
  return read.success ? read.data : null
}
