// Voice agents as rows: their table, and statements for reads under load and for locks.

import { batchedRead } from '../../database/batched-read.ts'
import { type Statement, statement, variants } from '../../database/statement.ts'
import { integer, jsonb, object, type RowOf, type Selected, type Selection, table, text, timestamptz, uuid } from '../../database/table.ts'
import { actorColumns } from '../../kernel/principal.ts'
import type { ExtractedField, ProviderName } from '../providers/telephony.ts'

const agentStatuses = ['draft', 'provisioning', 'active', 'paused', 'failed', 'archived'] as const
export type AgentStatus = (typeof agentStatuses)[number]

const fields = {
  name: text,
  hostAppId: text.orNull(),
  instructions: text.orNull(),
  firstMessage: text.orNull(),
  extraction: jsonb.as<Readonly<Record<string, ExtractedField>>>(),
  phoneNumber: text.orNull(),
  provider: text.as<ProviderName>(),
  dispatchUrl: text.orNull(),
}

export const agents = table('voice_agents', {
  id: uuid,
  orgId: uuid,
  ...fields,
  providerAssistantId: text.orNull(),
  providerPhoneId: text.orNull(),
  status: text.as<AgentStatus>(),
  statusReason: text.orNull(),
  version: integer,
  provisionedVersion: integer.orNull(),
  secretVersion: integer,
  secretRotatedAt: timestamptz.orNull(),
  createdBy: object(actorColumns),
  createdAt: timestamptz,
  updatedAt: timestamptz,
})

/** Property names are the schema's; times are ISO 8601 text. */
export interface VoiceAgent extends RowOf<typeof agents> {}
/** The agent of a call in a list, with the properties that the query selects. */
export type ListedAgent = Selected<VoiceAgent, 'id'>
/** What callers may set. */
export type AgentFields = Pick<VoiceAgent, keyof typeof fields>
/** The properties of an agent that are copied to a call, so that later changes of the agent do not affect it. */
export type PinnedSetup = Pick<VoiceAgent, 'name' | 'instructions' | 'firstMessage' | 'extraction'>

const { all } = agents
const byId = variants(33)

/** Agents of an organization by id, with the selected properties. */
export const agentsById = <Row>(selection: Selection<Row>): Statement<Row> =>
  byId(`voice_agents_by_id_${selection.key}`, () => ({
    text: `select ${selection.sql} from voice_agents where org_id = $1 and id = any($2::uuid[])`,
    rows: selection,
  }))

/** Without a lock. */
export const agentAt = batchedRead<VoiceAgent>('voice_agents', all)
/** For rules that change the agent. */
export const lockedAgent = statement(
  'voice_agent_locked',
  `select ${all.sql} from voice_agents where org_id = $1 and id = $2 for update`,
  all,
)
/** For rules that write what depends on the agent: it cannot change before they commit. */
export const sharedAgent = statement(
  'voice_agent_shared',
  `select ${all.sql} from voice_agents where org_id = $1 and id = $2 for share`,
  all,
)
