// Agents of the simulator, for the demo organization, sample data and tests.

import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { actorOf } from '../../kernel/principal.ts'
import type { AgentFields, VoiceAgent } from '../agents/agent.sql.ts'
import { addAgent } from '../agents/write.ts'

/** Creates an agent of the simulator that is ready to call. */
export function givenAgent(context: Context, orgId: string, fields: Partial<AgentFields> & { name: string }): Promise<VoiceAgent> {
  const id = newId()
  const now = context.now().toISOString()
  return addAgent(context, {
    hostAppId: null,
    instructions: null,
    firstMessage: null,
    extraction: {},
    language: null,
    voice: null,
    model: null,
    transferTo: [],
    phoneNumber: null,
    provider: 'simulator',
    dispatchUrl: null,
    ...fields,
    id,
    orgId,
    providerAssistantId: `sim_${id}`,
    providerPhoneId: null,
    status: 'active',
    statusReason: null,
    version: 1,
    provisionedVersion: 1,
    secretVersion: 1,
    secretRotatedAt: null,
    createdBy: actorOf(context.principal),
    createdAt: now,
    updatedAt: now,
  })
}
