// What the rules refuse in a window of days, for requests that are refused for another reason anyway: callers hear all of it at once.

import { windowProblems } from '../contacts/window.ts'
import type { Context } from '../context.ts'
import type { Problem } from '../errors.ts'
import type { Fields } from './route.ts'

export const problemsOfWindow = ({ from, to }: Fields, context: Context): readonly Problem[] =>
  windowProblems({ from: dayFrom(from), to: dayFrom(to) }, context.now())

const dayFrom = (text: unknown) => (typeof text === 'string' ? new Date(text) : null)
