// Voice agents as rows, and the prepared statements that read and write them.

import { type Statement, shortRead, statement } from '../database/client.ts'
import { eventColumns } from '../events.ts'
import type { Actor } from '../identity/principal.ts'
import { pointRead } from '../point-read.ts'
import { shaping } from './shape.ts'
import type { ExtractedField, ProviderName } from './telephony.ts'

export const agentStatuses = ['draft', 'provisioning', 'active', 'paused', 'failed', 'archived'] as const
export type AgentStatus = (typeof agentStatuses)[number]

/** What callers may set. Property names are the schema's. */
export interface AgentFields {
  name: string
  hostAppId: string | null
  instructions: string | null
  firstMessage: string | null
  extraction: Readonly<Record<string, ExtractedField>>
  phoneNumber: string | null
  provider: ProviderName
  dispatchUrl: string | null
}

export interface VoiceAgent extends AgentFields {
  id: string
  orgId: string
  providerAssistantId: string | null
  providerPhoneId: string | null
  status: AgentStatus
  statusReason: string | null
  version: number
  provisionedVersion: number | null
  secretVersion: number
  secretRotatedAt: string | null
  createdBy: Actor
  createdAt: string
  updatedAt: string
}

/** The columns of `agentRow`, in its order. */
export const agentColumns: readonly string[] = [
  ...[
    'id',
    'org_id',
    'name',
    'host_app_id',
    'instructions',
    'first_message',
    'extraction',
    'phone_number',
    'provider',
    'provider_assistant_id',
  ],
  ...[
    'provider_phone_id',
    'dispatch_url',
    'status',
    'status_reason',
    'version',
    'provisioned_version',
    'secret_version',
    'secret_rotated_at',
  ],
  ...['created_by_type', 'created_by_id', 'created_by_name', 'created_at', 'updated_at'],
]

type Cells = [
  ...[id: string, orgId: string, name: string, hostAppId: string | null, instructions: string | null, firstMessage: string | null],
  ...[extraction: AgentFields['extraction'], phoneNumber: string | null, provider: ProviderName, providerAssistantId: string | null],
  ...[providerPhoneId: string | null, dispatchUrl: string | null, status: AgentStatus, statusReason: string | null, version: number],
  ...[provisionedVersion: number | null, secretVersion: number, secretRotatedAt: string | null, createdByType: Actor['type']],
  ...[createdById: string | null, createdByName: string | null, createdAt: string, updatedAt: string],
]

export function agentRow(columns: readonly never[]): VoiceAgent {
  // The statement selects `agentColumns`, which are these.
  const c = columns as unknown as Cells
  return {
    id: c[0],
    orgId: c[1],
    name: c[2],
    hostAppId: c[3],
    instructions: c[4],
    firstMessage: c[5],
    extraction: c[6],
    phoneNumber: c[7],
    provider: c[8],
    providerAssistantId: c[9],
    providerPhoneId: c[10],
    dispatchUrl: c[11],
    status: c[12],
    statusReason: c[13],
    version: c[14],
    provisionedVersion: c[15],
    secretVersion: c[16],
    secretRotatedAt: c[17],
    createdBy: { type: c[18], id: c[19], name: c[20] },
    createdAt: c[21],
    updatedAt: c[22],
  }
}

const simple = {
  ...{ id: 'id', orgId: 'org_id', name: 'name', hostAppId: 'host_app_id', instructions: 'instructions', firstMessage: 'first_message' },
  ...{ extraction: 'extraction', phoneNumber: 'phone_number', provider: 'provider', providerAssistantId: 'provider_assistant_id' },
  ...{ dispatchUrl: 'dispatch_url', status: 'status', statusReason: 'status_reason', version: 'version' },
  ...{ createdAt: 'created_at', updatedAt: 'updated_at' },
}
const shapeOf = shaping<VoiceAgent>({
  whole: { name: 'whole', columns: agentColumns, row: agentRow },
  columnOf: simple,
  found: [],
  always: ['id'],
})
const shaped = new Map<string, Statement<VoiceAgent>>()

/** Agents by id, of which only these fields will be looked at. */
export function agentsByIdWith(fields: ReadonlySet<string> | undefined): Statement<VoiceAgent> {
  const { name, columns, row } = shapeOf(fields)
  let known = shaped.get(name)
  if (!known) {
    const text = `select ${columns} from voice_agents where org_id = $1 and id = any($2::uuid[])`
    shaped.set(name, (known = shortRead(`voice_agents_by_id_${name}`, text, row)))
  }
  return known
}

export const agentsById = shortRead<VoiceAgent>(
  'voice_agents_by_id',
  `select ${agentColumns} from voice_agents where org_id = $1 and id = any($2::uuid[])`,
  agentRow,
)
/** For those who only look. */
export const agentAt = pointRead<VoiceAgent>('voice_agents', String(agentColumns), agentRow)
/** For those who change it: others wait until they are done. */
export const lockedAgent = statement<VoiceAgent>(
  'voice_agent_locked',
  `select ${agentColumns} from voice_agents where org_id = $1 and id = $2 for update`,
  agentRow,
)
/** For those who rely on it: it cannot be changed until they are done. */
export const sharedAgent = statement<VoiceAgent>(
  'voice_agent_shared',
  `select ${agentColumns} from voice_agents where org_id = $1 and id = $2 for share`,
  agentRow,
)

const parameters = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `$${from + index}`).join(', ')
const eventWidth = eventColumns.split(',').length

/** The columns in order, then the version's setup, then the event. */
export const insertAgent = statement<never>(
  'voice_agent_insert',
  `with row as (
     insert into voice_agents (${agentColumns}) values (${parameters(1, agentColumns.length)}) returning id, version, created_at
   ), version as (
     insert into voice_agent_versions (agent_id, version, setup, created_at) select id, version, $${agentColumns.length + 1}, created_at from row
   )
   insert into events (${eventColumns}) values (${parameters(agentColumns.length + 2, agentColumns.length + 1 + eventWidth)})`,
)

/** $1 id, then what may change in the order of `changeable`, then the setup, then the event. */
export const changeable = [
  ...['name', 'host_app_id', 'instructions', 'first_message', 'extraction', 'phone_number', 'provider', 'provider_assistant_id'],
  ...[
    'provider_phone_id',
    'dispatch_url',
    'status',
    'status_reason',
    'version',
    'provisioned_version',
    'secret_version',
    'secret_rotated_at',
  ],
  'updated_at',
] as const
export const updateAgentRow = statement<never>(
  'voice_agent_update',
  `with row as (
     update voice_agents set ${changeable.map((column, index) => `${column} = $${index + 2}`).join(', ')} where id = $1
     returning id, version, updated_at
   ), version as (
     insert into voice_agent_versions (agent_id, version, setup, created_at)
     select id, version, $${changeable.length + 2}, updated_at from row on conflict (agent_id, version) do nothing
   )
   insert into events (${eventColumns}) values (${parameters(changeable.length + 3, changeable.length + 2 + eventWidth)})`,
)

export const changedValues = (agent: VoiceAgent): unknown[] => [
  agent.name,
  agent.hostAppId,
  agent.instructions,
  agent.firstMessage,
  JSON.stringify(agent.extraction),
  agent.phoneNumber,
  agent.provider,
  agent.providerAssistantId,
  agent.providerPhoneId,
  agent.dispatchUrl,
  agent.status,
  agent.statusReason,
  agent.version,
  agent.provisionedVersion,
  agent.secretVersion,
  agent.secretRotatedAt,
  agent.updatedAt,
]
/** In the order of `agentColumns`. */
export const agentValues = (agent: VoiceAgent): unknown[] => {
  const changed = changedValues(agent)
  const { type, id, name } = agent.createdBy
  return [agent.id, agent.orgId, ...changed.slice(0, -1), type, id, name, agent.createdAt, agent.updatedAt]
}

/** What of an agent a call keeps to, whatever becomes of the agent later. */
export type PinnedSetup = Pick<AgentFields, 'name' | 'instructions' | 'firstMessage' | 'extraction'>
export const setupOf = ({ name, instructions, firstMessage, extraction }: AgentFields): string =>
  JSON.stringify({ name, instructions, firstMessage, extraction } satisfies PinnedSetup)
