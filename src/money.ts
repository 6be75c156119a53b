// Money as the kernel knows it: whoever does work that costs credits reserves before and settles after. The ledger is src/credits.

/** Amounts inside are whole micro-credits; prices, answers and inputs are credits with at most 6 decimals. */
export const microPerCredit = 1_000_000

// Below this a number with 6 decimals has at most 15 digits, which a JSON number carries exactly.
export const amountCeiling = 1_000_000_000

/** Whether a number is an amount of credits, of either sign: at most 6 decimals, and below 1,000,000,000. */
export const isAmount = (credits: number): boolean =>
  Math.abs(credits) < amountCeiling && Math.round(credits * microPerCredit) / microPerCredit === credits

/** Throws RangeError for what `isAmount` refuses: check inputs before. */
export function microOf(credits: number): bigint {
  if (!isAmount(credits)) throw new RangeError(`${credits} is not an amount of credits`)
  return BigInt(Math.round(credits * microPerCredit))
}

export const creditsOf = (micro: bigint | number): number => Number(micro) / microPerCredit

export interface Reservation {
  userId: string
  /** The most that the work may cost. With 0 nothing is touched. */
  amountMicro: bigint
  /** What it is for, such as `call:<id>`. */
  reference: string
  /** When the reservation lapses by itself: later than the work can possibly end. */
  expiresAt: Date
}

/**
 * The port to the ledger. Everything happens in the transaction of the context, or in one of its own where there is none. Generic in
 * the context, because the context names it.
 */
export interface Money<Context> {
  /** Who pays for what the context does: the user who is signed in or named by a service, otherwise the organization's owner. */
  payerOf(context: Context): Promise<string>
  /** Opens the user's account with the grant for new users. Does nothing when there is one. */
  openAccount(context: Context, userId: string): Promise<void>
  /**
   * Keeps credits for work that is about to begin. Null when the amount is 0. Throws INSUFFICIENT_CREDITS, with `required`,
   * `available` and `shortfall` in credits, and then has kept nothing.
   */
  reserve(context: Context, reservation: Reservation): Promise<{ holdId: string } | null>
  /**
   * Takes what the work did cost, at most what was reserved, and gives back the rest. A hold is resolved once: asked again, it answers
   * what was charged then. When the hold has lapsed meanwhile, as much is charged as is available.
   */
  settle(context: Context, holdId: string, amountMicro: bigint): Promise<{ chargedMicro: bigint }>
  /** Gives everything back: the work did not happen. Does nothing when the hold is resolved already. */
  release(context: Context, holdId: string): Promise<void>
}
