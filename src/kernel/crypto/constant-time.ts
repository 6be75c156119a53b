// Comparison of a text with secrets in constant time: the duration reveals neither how many characters match nor which secret does.

import { hash, timingSafeEqual } from 'node:crypto'

/** Returns a function that says whether a text is one of the secrets, in the same time for each of them, whatever their lengths. */
export function constantTimeMatcher(secrets: readonly string[]): (given: string) => boolean {
  const digests = secrets.map(digest)
  return text => {
    const given = digest(text)
    return digests.reduce((found, expected) => timingSafeEqual(expected, given) || found, false)
  }
}

const digest = (text: string) => hash('sha256', text, 'buffer')
