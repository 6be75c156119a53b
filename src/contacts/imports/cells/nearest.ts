// The name that a misspelt one means. Pure.

import { distance } from 'fastest-levenshtein'
import { plainWord } from './characters.ts'

/** The only one among the names whose spelling is near: one letter of four may differ. */
export function nearest<Value extends string>(text: string, names: Iterable<readonly [name: string, value: Value]>): Value | null {
  const word = plainWord(text)
  const most = Math.floor(word.length / 4)
  if (most < 1) return null
  let best = most + 1
  let found = new Set<Value>()
  for (const [name, value] of names) {
    const plain = plainWord(name)
    if (Math.abs(plain.length - word.length) > most) continue
    const steps = distance(word, plain)
    if (steps < best) [best, found] = [steps, new Set()]
    if (steps === best && steps <= most) found.add(value)
  }
  const [only] = found
  return found.size === 1 ? (only ?? null) : null
}
