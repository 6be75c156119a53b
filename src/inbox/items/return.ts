// The return of a snoozed item: at its time it is open again, with one event.

import { createContext, inTransaction, type Services } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events/events.ts'
import { newId } from '../../kernel/ids.ts'
import { nextVersion } from '../../kernel/input/version.ts'
import { handlerOf } from '../../kernel/queue/handler.ts'
import { itemEvents, lockItem } from './item.sql.ts'
import { type Return, returnItem } from './return-queue.ts'

/** Opens the item, if it is still snoozed until this time. */
export async function bringBack(services: Services, { orgId, itemId, snoozedUntil }: Return): Promise<void> {
  const context = createContext(services, {
    principal: { kind: 'system', name: 'inbox', orgId },
    requestId: newId(),
    door: 'tasks',
    operation: 'bringBack',
  })
  await services.database.transaction(async db => {
    const [item] = await db.query(lockItem, [orgId, itemId])
    if (!item || item.doneAt !== null || item.snoozedUntil !== snoozedUntil) return
    const data = { snoozedUntil: null, ...nextVersion(context, item) }
    await db.prisma.inboxItem.update({ where: { id: itemId, orgId }, data })
    const changes = { kind: item.kind, privateTo: item.userId }
    await recordEvent(inTransaction(context, db), { type: itemEvents.returned, entityId: itemId, changes })
  })
}

export const returnHandler = handlerOf(returnItem, (services, { payload }) => bringBack(services, payload))
