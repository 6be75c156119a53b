// Splitting a text at a channel's limit: at line ends, else at blanks, never inside of a character.

import type { Channel } from '../channels/channel.ts'

type Limit = Pick<Channel, 'limit' | 'unit'>

/** The text in parts that the channel takes, in order. Only blanks between the parts are dropped. */
export function split(text: string, { limit, unit }: Limit): string[] {
  const pieces: string[] = []
  let rest = text.trim()
  while (sizeOf(rest, unit) > limit) {
    const whole = fitting(rest, limit, unit)
    const end = breakIn(whole)
    pieces.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '') pieces.push(rest)
  return pieces
}

function sizeOf(text: string, unit: Limit['unit']): number {
  if (unit === 'utf16') return text.length
  return unit === 'bytes' ? Buffer.byteLength(text) : [...text].length
}

// The longest start of the text that fits, in whole characters, at least one.
function fitting(text: string, limit: number, unit: Limit['unit']): string {
  let size = 0
  let end = 0
  for (const character of text) {
    size += sizeOf(character, unit)
    if (size > limit && end > 0) break
    end += character.length
  }
  return text.slice(0, end)
}

// Not in the first half: that would make many small parts.
function breakIn(text: string): number {
  const half = text.length / 2
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark)
    if (at > half) return at
  }
  return text.length
}
