// Targets: whatever an app names by app, kind and id. Our own contacts are found by id, those of other apps by their external id.

import type { Contact } from '../contacts/contact-row.ts'
import { contactColumns, contactRow } from '../contacts/contact-row.ts'
import { isId } from '../contacts/page.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/client.ts'
import type { Problem } from '../errors.ts'

/** What a job is about. Any triple of non-empty texts is one. */
export interface Target {
  hostApp: string
  id: string
  kind: string
}

/** The name of our own records among the host apps. */
export const ownApp = 'rolocom'

// 255 and 64: three of them together must fit an index entry.
const longest = { hostApp: 255, id: 255, kind: 64 } as const

/** Everything wrong with a target, under the path of the field that holds it. */
export function problemsOf(target: Target, path: readonly (string | number)[]): Problem[] {
  return (['hostApp', 'id', 'kind'] as const).flatMap((part): Problem[] => {
    const input = target[part]
    const at = [...path, part]
    if (input.trim() === '')
      return [{ path: at, type: 'string_too_short', message: 'String should have at least 1 character', input, context: { min_length: 1 } }]
    if ([...input].length <= longest[part]) return []
    const message = `String should have at most ${longest[part]} characters`
    return [{ path: at, type: 'string_too_long', message, input, context: { max_length: longest[part] } }]
  })
}

/** One spelling of each target: without space around its parts, and with our own ids in lower case. */
export function normal({ hostApp, id, kind }: Target): Target {
  const app = hostApp.trim()
  const trimmed = id.trim()
  return { hostApp: app, id: app === ownApp && isId(trimmed) ? trimmed.toLowerCase() : trimmed, kind: kind.trim() }
}

/** What finds the target's contact: our own id or the external one, null for what cannot lead to one. */
export const keysOf = ({ hostApp, id, kind }: Target): [contactId: string | null, externalId: string | null] => {
  if (kind !== 'contact') return [null, null]
  if (hostApp !== ownApp) return [null, id]
  return [isId(id) ? id : null, null]
}

/** The id of a live contact, given the parameters of `keysOf`. Of several with one external id the oldest counts. */
export const contactIdSql = (orgId: string, contactId: string, externalId: string) =>
  `coalesce(
     (select id from contacts where org_id = ${orgId} and id = ${contactId}::uuid and deleted_at is null),
     (select id from contacts where org_id = ${orgId} and external_id = ${externalId}::text and deleted_at is null order by id limit 1))`

const selectContact = statement<Contact>(
  'enrichment_target',
  `select ${contactColumns} from contacts where id = ${contactIdSql('$1', '$2', '$3')}`,
  contactRow,
)

/** The live contact that the target is, if there is one. */
export async function contactOfTarget(context: Context, orgId: string, target: Target): Promise<Contact | null> {
  const keys = keysOf(target)
  if (keys.every(key => key === null)) return null
  const [contact] = await context.db.query(selectContact, [orgId, ...keys])
  return contact ?? null
}
