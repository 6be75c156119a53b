// Addresses of hooks: which of them a request is for, what its query says, and which methods it takes.

import { AppError } from '../errors.ts'

export interface Address {
  /** What stands behind the hooks' path: `wake`, `agent`, `runs/<id>`, or the name of a mapped hook; null for what can be no name. */
  name: string | null
  /** The run that is asked for. */
  runId: string | null
  query: URLSearchParams | null
}

// No percent signs: a name has one spelling. No empty, `.` or `..` segments.
const names = /^(?!\.\.?(\/|$))[A-Za-z0-9._~-]+(\/(?!\.\.?(\/|$))[A-Za-z0-9._~-]+)*$/

/** Whether the path is one of the hooks'. */
export const isUnder = (base: string, path: string) => path.startsWith(base) && (path.length === base.length || path[base.length] === '/')

/** Throws METHOD_NOT_ALLOWED for a method that the hook does not take. Which names there are is told behind the token. */
export function addressOf(base: string, path: string, url: string, method: string): Address {
  const given = path.slice(base.length + 1)
  const name = given.length <= 200 && names.test(given) ? given : null
  const isRun = name?.startsWith('runs/') ?? false
  const allow = isRun ? 'GET' : 'POST'
  if (method !== allow) throw new AppError('METHOD_NOT_ALLOWED', `This hook takes ${allow} only`, { allow })
  const mark = url.indexOf('?')
  return { name, runId: isRun ? given.slice('runs/'.length) : null, query: mark < 0 ? null : new URLSearchParams(url.slice(mark + 1)) }
}
