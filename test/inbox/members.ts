// Members of an organization with their inboxes, for tests.

import { expect } from 'vitest'
import { type Client, clientWith } from '../contacts/client.ts'
import type { Json, TestApp } from '../support/app.ts'

const itemFields =
  'id kind state subjectType subjectId isSubjectGone title result count contactId contact { firstName } actor { type name } doneAt snoozedUntil version'

export interface Person extends Client {
  userId: string
  session: string
  /** The items in a state, newest first. */
  inbox(state?: string): Promise<Json[]>
  /** Waits until there are so many open items, and resolves with them. */
  receives(count: number): Promise<Json[]>
}

export function personWith(app: TestApp, { session, userId, orgId }: { session: string; userId: string; orgId: string }): Person {
  const client = clientWith(app, { session, orgId })
  const inbox = async (state = 'OPEN'): Promise<Json[]> =>
    (await client.data(`query ($state: InboxState!) { inbox(state: $state, first: 100) { nodes { ${itemFields} } } }`, { state })).inbox
      .nodes
  return {
    ...client,
    userId,
    session,
    inbox,
    async receives(count) {
      await expect.poll(async () => (await inbox()).length).toBe(count)
      return inbox()
    },
  }
}

/** An owner, and a member named as given, of one organization. */
export async function twoPeople(app: TestApp, name = 'Grace Hopper'): Promise<{ ada: Person; grace: Person; orgId: string }> {
  const { session, userId, orgId } = await app.given.session()
  const member = await app.given.member({ orgId, role: 'member' })
  await app.services.database.prisma.user.update({ where: { id: member.userId }, data: { name } })
  return { orgId, ada: personWith(app, { session, userId, orgId }), grace: personWith(app, member) }
}

/** Waits until everything that was committed so far has been told: an item for the member, of a contact made for that, has come. */
export async function settled(from: Person, to: Person): Promise<void> {
  const { id } = await from.create({ firstName: 'Last', ownerUserId: to.userId })
  await expect.poll(async () => (await to.inbox()).some(({ subjectId }) => subjectId === id)).toBe(true)
}
