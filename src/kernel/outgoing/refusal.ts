// The meaning of refusals of other services, for every caller: how long to wait, and whose account is empty.

/** Seconds that a Retry-After header asks to wait, as a number or a date (RFC 9110, 10.2.3). Undefined for anything else. */
export function retryAfterSeconds(header: string | null, now: Date = new Date()): number | undefined {
  const text = header?.trim() ?? ''
  // Some services send fractions, some a number that no one can wait for, and some an ISO date.
  if (/^\d{1,300}(?:\.\d{1,300})?$/.test(text)) return Number(text)
  const seconds = /^(?:[A-Za-z]|\d{4}-\d)/.test(text) ? (Date.parse(text) - now.getTime()) / 1000 : Number.NaN
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Whether the same request may succeed a little later. Proxies answer 520 to 530, and models 529. */
export const isPassing = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501 && status !== 505)

/** For status 402: credits of users have nothing to do with it. */
export const emptyAccount = (name: string): string =>
  `the operator's account with ${name} has no credit left (402); this is not about the credits of your organization`
