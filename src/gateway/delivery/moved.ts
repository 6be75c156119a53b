// Recipients that have another id from some time on, as the channel has said. Messages to the old id go to the new one.

import type { ChannelName } from '../../config/gateway/enums.ts'
import type { Queries } from '../../database/client.ts'

interface Move {
  orgId: string
  channel: ChannelName
  recipient: string
  movedTo: string
  now: Date
}

/** Remembers the move, and sends what waits for the recipient to its new id. */
export async function moveRecipient({ prisma }: Queries, { orgId, channel, recipient, movedTo, now }: Move): Promise<void> {
  await prisma.gatewayMovedRecipient.upsert({
    where: { orgId_channel_recipient: { orgId, channel, recipient } },
    create: { orgId, channel, recipient, movedTo, createdAt: now },
    update: { movedTo },
  })
  // A group may move again: from wherever it once was, one step leads to where it is.
  await prisma.gatewayMovedRecipient.updateMany({ where: { orgId, channel, movedTo: recipient }, data: { movedTo } })
  await prisma.gatewayDelivery.updateMany({ where: { orgId, channel, recipient, state: 'pending' }, data: { recipient: movedTo } })
  await prisma.gatewaySession.updateMany({
    where: { orgId, lastChannel: channel, lastRecipient: recipient },
    data: { lastRecipient: movedTo },
  })
}

/** The recipient's id as it is now. */
export async function presentRecipient({ prisma }: Queries, orgId: string, channel: ChannelName, recipient: string): Promise<string> {
  const where = { orgId_channel_recipient: { orgId, channel, recipient } }
  return (await prisma.gatewayMovedRecipient.findUnique({ where }))?.movedTo ?? recipient
}
