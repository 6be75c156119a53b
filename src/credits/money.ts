// The port to the ledger: work that costs credits reserves them before it begins and settles afterwards.

import type { Context } from '../kernel/context.ts'

declare module '../kernel/context.ts' {
  interface Services {
    money: Money
  }
}

export interface Reservation {
  userId: string
  /** The maximum cost of the work. With 0 nothing is reserved. */
  amountMicro: bigint
  /** The work that is paid for, such as `call:<id>`. */
  reference: string
  /** When the reservation expires. Must be later than the latest end of the work. */
  expiresAt: Date
}

/** The port to the ledger. Each method works in the context's transaction, or opens one. */
export interface Money {
  /** The user who pays for the context's work: the signed-in user, or the user whom a service names, otherwise the organization's owner. */
  payerOf(context: Context): Promise<string>
  /** Opens the user's account with the grant for new users. Does nothing when the account exists. */
  openAccount(context: Context, userId: string): Promise<void>
  /**
   * Moves the credits of an account to another user's, other than the grant for new users. Credits that holds return to it later follow within
   * a minute. Does nothing when the account does not exist.
   */
  moveAccount(context: Context, from: string, to: string): Promise<void>
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
   * Corrects the charge of a hold that is settled or released, because the cost was not known then, by an entry `adjust`. At most the
   * reserved amount, and no more than is available.
   */
  adjust(context: Context, holdId: string, amountMicro: bigint): Promise<{ chargedMicro: bigint }>
  /** Releases the whole reservation, because the work did not happen. Does nothing when the hold is settled or released already. */
  release(context: Context, holdId: string): Promise<void>
}
