// Comparison of a text with secrets in constant time: the duration reveals neither the number of matching characters nor the matching
// secret.

import { hash, timingSafeEqual } from 'node:crypto'

/** Returns a function that compares a text with all secrets. It takes the same time for each secret, whatever their lengths. */
export function constantTimeMatcher(secrets: readonly string[]): (given: string) => boolean {
  const digests = secrets.map(digest)
  return text => {
    const given = digest(text)
    return digests.reduce((found, expected) => timingSafeEqual(expected, given) || found, false)
  }
}

const digest = (text: string) => hash('sha256', text, 'buffer')
