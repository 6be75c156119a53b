// Targets of jobs: a record of any app, identified by app, kind and id. Contacts are found by id, or for other apps by external id.

import type { Contact } from '../../contacts/contact/row.ts'
import type { Queries } from '../../database/client.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { type Problem, problem } from '../../kernel/input/problem.ts'
import { contactsOfKeys } from './target.sql.ts'

/** The subject of a job. Any non-empty texts are valid. */
export interface Target {
  hostApp: string
  id: string
  kind: string
}

/** The name under which this installation's own records are targets. */
export const ownApp = 'rolocom'

// All three together must fit into an index entry.
const maxLength = { hostApp: 255, id: 255, kind: 64 } as const

/** The problems of a target. Their paths begin with the given one. */
export function problemsOf(target: Target, path: readonly (string | number)[]): Problem[] {
  return (['hostApp', 'id', 'kind'] as const).flatMap((part): Problem[] => {
    const input = target[part]
    const at = [...path, part]
    if (input.trim() === '') return [problem(at, 'string_too_short', input, { min_length: 1 })]
    return [...input].length > maxLength[part] ? [problem(at, 'string_too_long', input, { max_length: maxLength[part] })] : []
  })
}

/** Trims the parts, and lower-cases the ids of our own records. */
export function normalizeTarget({ hostApp, id, kind }: Target): Target {
  const app = hostApp.trim()
  const trimmed = id.trim()
  return { hostApp: app, id: app === ownApp && isId(trimmed) ? trimmed.toLowerCase() : trimmed, kind: kind.trim() }
}

/** The keys by which the target's contact is found: its id or its external id. Both are null for a target that is not a contact. */
export const keysOf = ({ hostApp, id, kind }: Target): [contactId: string | null, externalId: string | null] => {
  if (kind !== 'contact') return [null, null]
  if (hostApp !== ownApp) return [null, id]
  return [isId(id) ? id : null, null]
}

/** The target's contact; null if there is none, or it is deleted. */
export async function contactOfTarget({ db }: Context, orgId: string, target: Target): Promise<Contact | null> {
  const [contact = null] = await contactsOfTargets(db, [{ orgId, target }])
  return contact
}

/** The contact of each target, read by one statement; by none if no target can have a contact. */
export async function contactsOfTargets(db: Queries, targets: readonly { orgId: string; target: Target }[]): Promise<(Contact | null)[]> {
  const keys = targets.map(({ target }) => keysOf(target))
  if (keys.flat().every(key => key === null)) return targets.map(() => null)
  const columns = [targets.map(({ orgId }) => orgId), keys.map(([contactId]) => contactId), keys.map(([, externalId]) => externalId)]
  const found = new Map((await db.query(contactsOfKeys, columns)).map(({ place, contact }) => [place, contact]))
  return targets.map((_, index) => found.get(index + 1) ?? null)
}
