// Parses the addresses of hooks: the hook's name, the query and the allowed methods.

import { AppError } from '../kernel/errors.ts'

export interface Address {
  /** The path after the base path of hooks: `wake`, `agent`, `runs/<id>`, or the name of a mapped hook; null if it is not a valid name. */
  name: string | null
  /** The id of `runs/<id>`. */
  runId: string | null
  query: URLSearchParams | null
}

// No percent signs, so that a name has one spelling. No empty, `.` or `..` segments.
const names = /^(?!\.\.?(\/|$))[A-Za-z0-9._~-]+(\/(?!\.\.?(\/|$))[A-Za-z0-9._~-]+)*$/

/** Whether the path belongs to the hooks. */
export const isUnder = (base: string, path: string) => path.startsWith(base) && (path.length === base.length || path[base.length] === '/')

/**
 * Parses an address. Throws METHOD_NOT_ALLOWED for a method that the hook does not accept. Unknown names are not refused here, because only
 * authenticated senders may learn which names exist.
 */
export function addressOf(base: string, path: string, url: string, method: string): Address {
  const given = path.slice(base.length + 1)
  const name = given.length <= 200 && names.test(given) ? given : null
  const isRun = name?.startsWith('runs/') ?? false
  const allow = isRun ? 'GET' : 'POST'
  if (method !== allow) throw new AppError('METHOD_NOT_ALLOWED', `This hook takes ${allow} only`, { allow })
  const mark = url.indexOf('?')
  return { name, runId: isRun ? given.slice('runs/'.length) : null, query: mark < 0 ? null : new URLSearchParams(url.slice(mark + 1)) }
}
