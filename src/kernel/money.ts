// Amounts of credits, and the port to the ledger, which src/credits implements: work that costs credits reserves them before it begins and
// settles afterwards.

/** Rules and tables use whole micro-credits; settings, inputs and answers use credits with at most 6 decimals. */
const microPerCredit = 1_000_000

// Numbers below this with 6 decimals have at most 15 digits, which JSON numbers represent exactly.
export const amountCeiling = 1_000_000_000

/** Whether a number is an amount of credits, of either sign: at most 6 decimals, and below 1,000,000,000. */
export const isAmount = (credits: number): boolean => Math.abs(credits) < amountCeiling && creditsOf(roundedMicroOf(credits)) === credits

/** Credits as micro-credits, rounded to whole ones. */
export const roundedMicroOf = (credits: number): number => Math.round(credits * microPerCredit)

/** Credits as micro-credits. Throws RangeError where `isAmount` is false, so inputs are checked before. */
export function microOf(credits: number): bigint {
  if (!isAmount(credits)) throw new RangeError(`${credits} is not an amount of credits`)
  return BigInt(roundedMicroOf(credits))
}

export const creditsOf = (micro: bigint | number): number => Number(micro) / microPerCredit

/** SQL: micro-credits as credits, of type numeric. */
export const creditsSql = (micro: string): string => `${micro}::numeric / ${microPerCredit}`

export interface Reservation {
  userId: string
  /** The maximum cost of the work. With 0 nothing is reserved. */
  amountMicro: bigint
  /** The work that is paid for, such as `call:<id>`. */
  reference: string
  /** When the reservation expires. Must be later than the latest end of the work. */
  expiresAt: Date
}

/**
 * The port to the ledger. Each method works in the context's transaction, or opens one. Generic in the context, because the type Context
 * refers to this port.
 */
export interface Money<Context> {
  /** The user who pays for the context's work: the signed-in user, or the user whom a service names, otherwise the organization's owner. */
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
   * charged by the first. When the hold has expired, charges at most the credits that are available.
   */
  settle(context: Context, holdId: string, amountMicro: bigint): Promise<{ chargedMicro: bigint }>
  /**
   * Corrects what was charged for a hold that is settled or released, because the cost was not known then, by an entry `adjust`. At most the
   * reserved amount, and no more than is available.
   */
  adjust(context: Context, holdId: string, amountMicro: bigint): Promise<{ chargedMicro: bigint }>
  /** Releases the whole reservation, because the work did not happen. Does nothing when the hold is settled or released already. */
  release(context: Context, holdId: string): Promise<void>
}
