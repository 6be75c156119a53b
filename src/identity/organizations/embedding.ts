// The origins of pages elsewhere that may show an organization's widgets in a frame.

import type { Queries } from '../../database/client.ts'
import { type Context, organizationOf } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { tooLong } from '../../kernel/input/fields.ts'
import { at, type Problem, valueError } from '../../kernel/input/problem.ts'
import { managing } from './membership.ts'
import { organizationEvents } from './organization.sql.ts'
import { loadOrganizations, type Organization } from './organization.ts'

// The header that lists them stays below 4 kB.
const maxOrigins = 20
const maxLength = 200

/** Replaces the list. Throws INVALID and FORBIDDEN. */
export async function setEmbedOrigins(context: Context, given: readonly string[]): Promise<Organization> {
  if (given.length > maxOrigins) throw invalid(at('origins', tooLong(given, maxOrigins)))
  const problems: Problem[] = []
  const read = given.map((text, index) => originOf(text, ['origins', index], problems))
  if (problems.length > 0) throw invalid(problems)
  const origins = [...new Set(read)].toSorted()
  return managing(context, organizationOf(context), 'admin', async ({ context: inside, organizationId: id }) => {
    const { embedOrigins: before } = await inside.db.prisma.organization.findUniqueOrThrow({ where: { id } })
    if (before.join(' ') !== origins.join(' ')) {
      await inside.db.prisma.organization.update({ where: { id }, data: { embedOrigins: origins } })
      await recordEvent(inside, { type: organizationEvents.updated, entityId: id, orgId: id, changes: { embedOrigins: [before, origins] } })
    }
    const [organization] = await loadOrganizations(inside, [id])
    if (!organization) throw notFound('organization', id)
    return organization
  })
}

/** The origins, in the order of the alphabet. */
export async function embedOriginsOf({ prisma }: Pick<Queries, 'prisma'>, id: string): Promise<string[]> {
  return (await prisma.organization.findUnique({ where: { id }, select: { embedOrigins: true } }))?.embedOrigins ?? []
}

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

// An origin as browsers print it stands in a header as it is: nothing in it can begin another directive.
function originOf(given: string, path: Problem['path'], problems: Problem[]): string {
  const text = given.trim().replace(/\/$/, '')
  const origin = text.length <= maxLength && URL.canParse(text) ? new URL(text).origin : null
  const isOrigin = origin !== null && origin === text.toLowerCase()
  if (isOrigin && (/^https:\/\/[^\s;,*'"]+$/.test(origin) || loopback.test(origin))) return origin
  problems.push(
    valueError(path, 'it is not an origin such as https://intranet.example.com, without a path; http only for localhost', given),
  )
  return ''
}
