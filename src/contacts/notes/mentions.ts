// Mentions in notes: members whom a text names behind `@`, by their name, their first name where no other member has it, or their address.

import type { User } from '../../identity/users/user.ts'
import type { Context } from '../../kernel/context.ts'

/** A member, and the name by which the text mentions them. It stays when the member takes another name. */
export interface Mention {
  userId: string
  name: string
}

// More than a note names; each is somebody's inbox item.
const maxMentions = 50
// A text of signs alone must not be compared with every name at each of them.
const maxSigns = 200
// An organization with more members mentions those who joined first.
const maxMembers = 2000

/**
 * The mentions of a text, in its order. `known`: the mentions of the text before, which stay while it names them. Reads the members only
 * where there is an `@` to resolve.
 */
export async function mentionsIn(context: Context, orgId: string, text: string, known: readonly Mention[] = []): Promise<Mention[]> {
  if (!/(?<![\p{L}\p{N}])@/u.test(text)) return []
  const found = await context.db.prisma.membership.findMany({
    where: { organizationId: orgId },
    select: { user: { select: { id: true, name: true, email: true } } },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    take: maxMembers,
  })
  const names = namesOf(
    found.map(({ user }) => user),
    known,
  )
  const mentions = new Map<string, Mention>()
  let signs = 0
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])@/gu)) {
    if (mentions.size === maxMentions || ++signs > maxSigns) break
    const mention = mentionAt(text, index + 1, names)
    if (mention && !mentions.has(mention.userId)) mentions.set(mention.userId, mention)
  }
  return [...mentions.values()]
}

/** The members by what may stand behind `@`, in lower case. Null for a name of several members. */
function namesOf(members: readonly User[], known: readonly Mention[]): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>()
  const add = (name: string | null | undefined, userId: string) => {
    const key = name?.trim().toLowerCase()
    if (key) names.set(key, names.has(key) && names.get(key) !== userId ? null : userId)
  }
  for (const { id, name } of members) add(name?.trim().split(/\s+/)[0], id)
  // A whole name goes before a first name: of Ada and Ada Lovelace, `@Ada` is the former.
  const whole = new Map(Map.groupBy(members, ({ name }) => name?.trim().toLowerCase() ?? ''))
  for (const [name, same] of whole) if (name) names.set(name, same.length === 1 ? (same[0]?.id ?? null) : null)
  for (const { id, email } of members) add(email, id)
  const ids = new Set(members.map(({ id }) => id))
  for (const { userId, name } of known) if (ids.has(userId)) names.set(name.toLowerCase(), userId)
  return names
}

/** The longest name that stands there as a whole word. */
function mentionAt(text: string, start: number, names: ReadonlyMap<string, string | null>): Mention | null {
  let longest: Mention | null = null
  for (const [name, userId] of names) {
    if (userId === null || name.length <= (longest?.name.length ?? 0)) continue
    const given = text.slice(start, start + name.length)
    if (given.toLowerCase() === name && !/^[\p{L}\p{N}]/u.test(text.slice(start + name.length))) longest = { userId, name: given }
  }
  return longest
}
