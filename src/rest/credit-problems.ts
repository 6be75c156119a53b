// What the rules refuse in amounts of credits, for requests that are refused for another reason anyway: callers hear all of it at once.

import { amountProblems } from '../credits/credit-input.ts'
import type { Problem } from '../errors.ts'
import type { Fields } from './route.ts'

/** Of what is given or taken. */
export const problemsOfAmount = ({ amount }: Fields): readonly Problem[] =>
  typeof amount === 'number' ? amountProblems(['amount'], amount) : []

/** Of a correction, which may take as well as give. */
export const problemsOfCorrection = ({ amount }: Fields): readonly Problem[] =>
  typeof amount === 'number' ? amountProblems(['amount'], amount, { allowNegative: true }) : []
