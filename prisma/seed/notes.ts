// Notes, tasks and a shared view of the demo organization.

import type { Contact } from '../../src/contacts/contact/row.ts'
import { createNote } from '../../src/contacts/notes/note.ts'
import { createTask } from '../../src/contacts/tasks/task.ts'
import { createView } from '../../src/contacts/views/view.ts'
import type { Context } from '../../src/kernel/context.ts'
import { demoUsers } from './contacts.ts'

const notes = [
  'Prefers to be called in the afternoon, after two.',
  'Asked for a comparison with what they use now. Prices matter less than the import.',
  'Met at the fair in Lyon; wants to bring two colleagues to the next call.',
  'Decides in the second quarter, together with finance.',
]
// The title, days from today, and the hour.
const tasks: readonly (readonly [string, number, number])[] = [
  ['Ask for a reference', -1, 15],
  ['Send the offer', 0, 9],
  ['Call back about the contract', 0, 11],
  ['Prepare the demo for two colleagues', 0, 14],
  ['Check the invoice address', 0, 16],
  ['Send the comparison of plans', 1, 10],
  ['Ask how the first week went', 1, 15],
  ['Talk about more seats', 3, 11],
]
const dayMs = 86_400_000

/** As the first of the demo's users would write them. */
export async function writeDemoNotes(context: Context, orgId: string, contacts: readonly Contact[]): Promise<void> {
  const [owner, ...colleagues] = demoUsers
  const principal = { kind: 'session', sessionId: null, userId: owner.id, email: owner.email, name: owner.name } as const
  const memberships = { orgIds: [orgId], roles: { [orgId]: 'owner' }, role: 'owner', currentOrgId: null } as const
  const inside: Context = { ...context, principal: { ...principal, ...memberships } }
  // Behind the first page of the most recently changed, whose timelines show how they changed.
  const some = contacts.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(50)
  for (const [index, text] of notes.entries()) await createNote(inside, { contactId: some[index]?.id ?? '', text, pinned: index === 0 })

  const today = Math.floor(context.now().getTime() / dayMs) * dayMs
  const users = [owner, ...colleagues]
  for (const [index, [title, days, hour]] of tasks.entries())
    await createTask(inside, {
      contactId: some[index]?.id ?? '',
      title,
      dueAt: new Date(today + days * dayMs + hour * 3_600_000),
      assigneeUserId: users[index % users.length]?.id ?? null,
      status: index === 0 ? 'done' : 'open',
    })
  await createView(
    inside,
    'contacts',
    { name: 'Opportunities', isShared: true, isDefault: true },
    {
      filter: { lifecycleStageIn: ['opportunity'], doNotCall: false },
      sort: 'updated_at_desc',
      columns: ['fullName', 'companyName', 'ownerUserId', 'tags', 'custom.plan', 'updatedAt'],
    },
  )
}
