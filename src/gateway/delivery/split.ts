// Splitting a text at a channel's limit: at line ends, else at blanks, never inside of a character.

import type { Channel } from './channels.ts'

type Limit = Pick<Channel, 'limit' | 'unit'>

/** The text in pieces that the channel takes, in order. Nothing is lost but blanks at the seams. */
export function split(text: string, { limit, unit }: Limit): string[] {
  const pieces: string[] = []
  let rest = text.trim()
  while (sizeOf(rest, unit) > limit) {
    const whole = fitting(rest, limit, unit)
    const end = seamIn(whole)
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

// The longest beginning that fits, in whole characters; at least one of them.
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

// A seam in the first half would leave more small pieces than it is worth.
function seamIn(text: string): number {
  const half = text.length / 2
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark)
    if (at > half) return at
  }
  return text.length
}
