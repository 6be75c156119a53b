// The table of voice agents, and their statements: hot reads, and locks.

import { batchedRead } from '../../database/batched-read.ts'
import type { Selection } from '../../database/selection.ts'
import { type Statement, statement, variants } from '../../database/statement.ts'
import { integer, jsonb, object, type RowOf, type Selected, table, text, timestamptz, uuid } from '../../database/table.ts'
import { actorColumns } from '../../kernel/principal.ts'
import type { Destination, ExtractedField, ProviderName } from '../providers/telephony.ts'

const agentStatuses = ['draft', 'provisioning', 'active', 'paused', 'failed', 'archived'] as const
export type AgentStatus = (typeof agentStatuses)[number]

const fields = {
  name: text,
  hostAppId: text.orNull(),
  instructions: text.orNull(),
  firstMessage: text.orNull(),
  extraction: jsonb.as<Readonly<Record<string, ExtractedField>>>(),
  phoneNumber: text.orNull(),
  language: text.orNull(),
  voice: text.orNull(),
  model: text.orNull(),
  transferTo: jsonb.as<readonly Destination[]>(),
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

/** A voice agent. Properties are named as in the schema; times are ISO 8601 text. */
export interface VoiceAgent extends RowOf<typeof agents> {}
/** The agent of a call in a list, with the properties that the query selects. */
export type ListedAgent = Selected<VoiceAgent, 'id'>
/** The fields that callers may set. */
export type AgentFields = Pick<VoiceAgent, keyof typeof fields>
/** The properties of an agent that are copied to a call, so that later changes of the agent do not affect it. */
export type PinnedSetup = Pick<VoiceAgent, 'name' | 'instructions' | 'firstMessage' | 'extraction' | 'language' | 'voice'> &
  // Versions of an earlier release lack them.
  Partial<Pick<VoiceAgent, 'model' | 'transferTo'>>

const { all } = agents
const byId = variants(33)

/** Agents of an organization by id, with the selected properties. */
export const agentsById = <Row>(selection: Selection<Row>): Statement<Row> =>
  byId(`voice_agents_by_id_${selection.key}`, () => ({
    text: `select ${selection.sql} from voice_agents where org_id = $1 and id = any($2::uuid[])`,
    rows: selection,
  }))

/** Reads an agent without a lock. */
export const agentAt = batchedRead<VoiceAgent>('voice_agents', all)
/** Locks the agent for rules that change it. */
export const lockedAgent = statement(
  'voice_agent_locked',
  `select ${all.sql} from voice_agents where org_id = $1 and id = $2 for update`,
  all,
)
/** A share lock, for rules that write rows that depend on the agents: they cannot change before those commit. */
export const sharedAgent = statement(
  'voice_agents_shared',
  `select ${all.sql} from voice_agents where org_id = $1 and id = any($2::uuid[]) order by id for share`,
  all,
)
