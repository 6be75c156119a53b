// Amounts of credits.

/** Rules and tables use whole micro-credits; settings, inputs and answers use credits with at most 6 decimals. */
const microPerCredit = 1_000_000

// Numbers below this with 6 decimals have at most 15 digits, which JSON numbers represent exactly.
export const amountCeiling = 1_000_000_000

/** Whether a number is an amount of credits, of either sign: at most 6 decimals, and below 1,000,000,000. */
export const isAmount = (credits: number): boolean => Math.abs(credits) < amountCeiling && creditsOf(roundToMicro(credits)) === credits

/** Credits as micro-credits, rounded to whole ones. */
export const roundToMicro = (credits: number): number => Math.round(credits * microPerCredit)

/** Credits as micro-credits. Throws RangeError where `isAmount` is false, so inputs are checked before. */
export function microOf(credits: number): bigint {
  if (!isAmount(credits)) throw new RangeError(`${credits} is not an amount of credits`)
  return BigInt(roundToMicro(credits))
}

export const creditsOf = (micro: bigint | number): number => Number(micro) / microPerCredit

/** SQL: micro-credits as credits, of type numeric. */
export const creditsSql = (micro: string): string => `${micro}::numeric / ${microPerCredit}`
