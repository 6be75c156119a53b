// Lets a number of requests through at once; the others wait in line, and those for whom the line is too long are asked to come again.

import { AppError } from '../errors.ts'

const longestLine = 200

export function turnstile(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let inside = 0
  const line: (() => void)[] = []
  return async work => {
    if (inside >= atOnce) {
      if (line.length >= longestLine) throw new AppError('RATE_LIMITED', 'Too many requests for this hook at once', { retryAfter: 1 })
      await new Promise<void>(resolve => line.push(resolve))
    } else inside++
    try {
      return await work()
    } finally {
      // Whoever is next takes this place, so the number inside stays.
      const next = line.shift()
      if (next) next()
      else inside--
    }
  }
}
