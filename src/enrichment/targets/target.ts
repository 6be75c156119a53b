// Targets of jobs: a record of any app, identified by app, kind and id. Contacts and companies are found by id, or for other apps by
// external id; companies also by their domain.

import type { Queries } from '../../database/client.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/ids.ts'
import { type Problem, problem } from '../../kernel/input/problem.ts'
import type { TargetRecord } from './record.ts'
import { companiesOfKeys, contactsOfKeys } from './target.sql.ts'

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

/** The keys by which the target's record is found. All are null for a target that is no record. */
export interface Keys {
  contactId: string | null
  contactExternalId: string | null
  companyId: string | null
  companyExternalId: string | null
  companyDomain: string | null
}

export function keysOf(target: Target): Keys {
  const { hostApp, id, kind } = target
  const ownId = hostApp === ownApp && isId(id) ? id : null
  const externalId = hostApp === ownApp ? null : id
  const [isContact, isCompany] = [kind === 'contact', kind === 'company']
  return {
    contactId: isContact ? ownId : null,
    contactExternalId: isContact ? externalId : null,
    companyId: isCompany ? ownId : null,
    companyExternalId: isCompany ? externalId : null,
    companyDomain: domainOf(target),
  }
}

const domainForm = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

/** The domain that the id of a company is, without `www.`; null for none. */
export const domainOf = ({ kind, id }: Target): string | null =>
  kind === 'company' && domainForm.test(id) ? id.toLowerCase().replace(/^www\./, '') : null

/** The target's record; null if there is none, or it is deleted. */
export async function recordOfTarget({ db }: Context, orgId: string, target: Target): Promise<TargetRecord | null> {
  const [record = null] = await recordsOfTargets(db, [{ orgId, target }])
  return record
}

/** The record of each target, read by one statement for each noun that has targets. */
export async function recordsOfTargets(
  db: Queries,
  targets: readonly { orgId: string; target: Target }[],
): Promise<(TargetRecord | null)[]> {
  const keys = targets.map(({ target }) => keysOf(target))
  const orgIds = targets.map(({ orgId }) => orgId)
  const column = (name: keyof Keys) => keys.map(one => one[name])
  const isAsked = (...columns: (string | null)[][]) => columns.flat().some(key => key !== null)
  const found = new Map<number, TargetRecord>()
  const contacts = [column('contactId'), column('contactExternalId')]
  if (isAsked(...contacts))
    for (const { place, row } of await db.query(contactsOfKeys, [orgIds, ...contacts])) found.set(place, { noun: 'contact', row })
  const companies = [column('companyId'), column('companyExternalId'), column('companyDomain')]
  if (isAsked(...companies))
    for (const { place, row } of await db.query(companiesOfKeys, [orgIds, ...companies])) found.set(place, { noun: 'company', row })
  return targets.map((_, index) => found.get(index + 1) ?? null)
}
