// Amounts of credits, and the port to the ledger: work that costs credits reserves them before and settles after. src/credits implements it.

/** Rules and tables use whole micro-credits; settings, inputs and answers use credits with at most 6 decimals. */
const microPerCredit = 1_000_000

// Below this a number with 6 decimals has at most 15 digits, which a JSON number carries exactly.
export const amountCeiling = 1_000_000_000

/** Whether a number is an amount of credits, of either sign: at most 6 decimals, and below 1,000,000,000. */
export const isAmount = (credits: number): boolean => Math.abs(credits) < amountCeiling && creditsOf(roundedMicroOf(credits)) === credits

/** Credits as micro-credits, rounded to whole ones. */
export const roundedMicroOf = (credits: number): number => Math.round(credits * microPerCredit)

/** Credits as micro-credits. Throws RangeError where `isAmount` is false: check inputs before. */
export function microOf(credits: number): bigint {
  if (!isAmount(credits)) throw new RangeError(`${credits} is not an amount of credits`)
  return BigInt(roundedMicroOf(credits))
}

export const creditsOf = (micro: bigint | number): number => Number(micro) / microPerCredit

/** SQL: micro-credits as credits, of type numeric. */
export const creditsSql = (micro: string): string => `${micro}::numeric / ${microPerCredit}`

export interface Reservation {
  userId: string
  /** The most that the work may cost. With 0 nothing is reserved. */
  amountMicro: bigint
  /** What it is for, such as `call:<id>`. */
  reference: string
  /** When the reservation expires: later than the work can end. */
  expiresAt: Date
}

/**
 * The port to the ledger. Each method works in the context's transaction, or in one of its own. Generic in the context, because the type
 * Context refers to this port.
 */
export interface Money<Context> {
  /** The user who pays for the context's work: the one who is signed in or named by a service, otherwise the organization's owner. */
  payerOf(context: Context): Promise<string>
  /** Opens the user's account with the grant for new users. Does nothing when the account exists. */
  openAccount(context: Context, userId: string): Promise<void>
  /**
   * Reserves credits for work that is about to begin. Null when the amount is 0. Throws INSUFFICIENT_CREDITS, with `required`,
   * `available` and `shortfall` in credits, and then reserves nothing.
   */
  reserve(context: Context, reservation: Reservation): Promise<{ holdId: string } | null>
  /**
   * Charges the actual cost, at most the reserved amount, and releases the rest. A hold is settled once; further calls return the amount
   * charged then. When the hold has expired, as much is charged as is available.
   */
  settle(context: Context, holdId: string, amountMicro: bigint): Promise<{ chargedMicro: bigint }>
  /** Releases the whole reservation, because the work did not happen. Does nothing when the hold is settled or released already. */
  release(context: Context, holdId: string): Promise<void>
}
