// The line of a call: its conversation, and the one-use tokens with which its carrier opens sockets.

import { hash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InputJsonValue } from '../../../generated/prisma/internal/prismaNamespace.ts'
import type { Context, Services } from '../../../kernel/context.ts'
import { organizationOf } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import { actorOf, createdByColumns } from '../../../kernel/principal.ts'
import type { DialOrder } from '../../providers/telephony.ts'
import { speakingModels } from '../models.ts'
import { asConversation, type Conversation } from '../row.ts'
import type { Speaker } from '../thinker.ts'

/** A socket that does not renew its claim for so long has lost it. */
export const claimMs = 15_000
// A carrier opens the first socket when the call is answered, and the next one at once.
const marginMs = 120_000
const nextSocketMs = 60_000

/** The stored form of a token. */
export const hashOf = (token: string) => new Uint8Array(hash('sha256', token, 'buffer'))

function newToken() {
  const token = randomBytes(24).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

/** Makes the conversation of a call that is about to be dialled, and the token for its first socket. Dialling again makes another token. */
export async function openLine(context: Context, order: DialOrder): Promise<string> {
  const { callId, agent, ringTimeoutSeconds } = order
  const { token, tokenHash } = newToken()
  const now = context.now()
  const tokenExpiresAt = new Date(now.getTime() + ringTimeoutSeconds * 1000 + marginMs)
  const { name, instructions, firstMessage, extraction, language } = agent
  const speaker: Speaker = {
    ...{ name, instructions, firstMessage, extraction, language },
    models: speakingModels(context.services.config, agent.model),
    transferTo: agent.transferTo ?? [],
  }
  await context.db.prisma.conversation.upsert({
    where: { callId },
    create: {
      ...{ id: newId(), orgId: organizationOf(context), agentId: agent.id, agentVersion: agent.version, callId },
      speaker: speaker as unknown as InputJsonValue,
      ...{ tokenHash, tokenExpiresAt, ...createdByColumns(actorOf(context.principal)), createdAt: now },
    },
    update: { tokenHash, tokenExpiresAt },
    select: { id: true },
  })
  return token
}

// 20: a bad network loses a socket now and then; a server that closes each socket at once must not keep the call.
const maxReopened = 20

// 1.5 s: a process that lives stores its last turn in that time.
const leavingMs = 1500

/** Frees the conversation of a call whose carrier says that the socket is closed. First the socket's process stores its last turn. */
export async function freeLine({ database }: Services, callId: string): Promise<void> {
  const isHeld = async () => (await database.prisma.conversation.count({ where: { callId, claimId: { not: null } } })) > 0
  for (let waited = 0; waited < leavingMs && (await isHeld()); waited += 50) await sleep(50)
  await database.prisma.conversation.updateMany({ where: { callId }, data: { claimId: null, claimedUntil: null } })
}

/** Makes a token for the next socket of a call whose socket was lost. Null when its conversation is over, or was lost too often. */
export async function reopenLine({ database, now }: Services, callId: string): Promise<string | null> {
  const { token, tokenHash } = newToken()
  const tokenExpiresAt = new Date(now().getTime() + nextSocketMs)
  const { count } = await database.prisma.conversation.updateMany({
    where: { callId, status: 'active', reopenedCount: { lt: maxReopened } },
    data: { tokenHash, tokenExpiresAt, reopenedCount: { increment: 1 } },
  })
  return count > 0 ? token : null
}

/** Takes the conversation of a token for a socket. Null for a token that is unknown, used or late, or while another socket holds the conversation. */
export async function takeLine({ database, now }: Services, token: string): Promise<Conversation | null> {
  const at = now()
  const free = [{ claimedUntil: null }, { claimedUntil: { lt: at } }]
  const [row] = await database.prisma.conversation.updateManyAndReturn({
    where: { tokenHash: hashOf(token), tokenExpiresAt: { gt: at }, status: 'active', OR: free },
    data: { tokenHash: null, tokenExpiresAt: null, claimId: newId(), claimedUntil: new Date(at.getTime() + claimMs) },
  })
  return row ? asConversation(row) : null
}

/** Keeps the conversation for the socket, also while its last words are spoken. False if another socket has it. */
export async function keepLine({ database, now }: Services, { id, claimId }: Conversation): Promise<boolean> {
  const claimedUntil = new Date(now().getTime() + claimMs)
  const { count } = await database.prisma.conversation.updateMany({ where: { id, claimId }, data: { claimedUntil } })
  return count > 0
}

/** Frees the conversation of a socket that has closed. */
export async function leaveLine({ database }: Services, { id, claimId }: Conversation): Promise<void> {
  if (claimId === null) return
  await database.prisma.conversation.updateMany({ where: { id, claimId }, data: { claimId: null, claimedUntil: null } })
}
