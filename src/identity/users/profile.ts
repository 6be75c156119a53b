// The user's own profile. Its address stays, because a link requested before would take over the account afterwards.

import { type Context, inTransaction, userOf } from '../../kernel/context.ts'
import { AppError, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { text } from '../../kernel/input/fields.ts'
import { at, Invalid, problem } from '../../kernel/input/problem.ts'
import { eventsOf, update } from '../../kernel/nouns/events.ts'
import type { User } from './user.ts'

const events = eventsOf('user', {
  updated: update('A member has another name.'),
})

const readName = text(200)

/** Renames the signed-in user, here and at the embedded identity provider. Throws INVALID, and CONFLICT with an outside provider. */
export function updateProfile(context: Context, input: { name: string }): Promise<User> {
  const { userId } = userOf(context)
  const name = readName(input.name)
  if (name instanceof Invalid) throw invalid(at('name', name))
  if (name === null) throw invalid(problem('name', 'string_too_short', input.name, { min_length: 1 }))
  const issuer = context.services.config.IDENTITY_ISSUER
  // Its next token would bring the old name back.
  if (issuer !== undefined) throw new AppError('CONFLICT', `Names come from the identity provider; change yours at ${issuer}`)
  return context.db.transaction(async db => {
    const { prisma } = db
    const before = await prisma.user.findUnique({ where: { id: userId }, include: { memberships: true } })
    if (!before) throw notFound('user', userId)
    if (before.name !== name) {
      const updatedAt = context.now()
      await prisma.user.update({ where: { id: userId }, data: { name, updatedAt } })
      await prisma.idpUser.updateMany({ where: { id: userId }, data: { name, updatedAt } })
      for (const { organizationId: orgId } of before.memberships)
        await recordEvent(inTransaction(context, db), {
          type: events.updated,
          entityId: userId,
          orgId,
          changes: { name: [before.name, name] },
        })
      await db.afterCommit(context.services.listener.settle)
    }
    return { id: userId, name, email: before.email }
  })
}
