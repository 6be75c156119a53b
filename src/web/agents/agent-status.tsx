// The status of an agent as a dot and a word, with the reason that its provider gave.

import { Text, Tooltip } from '@mantine/core'
import type { VoiceAgentRowFragment } from '../generated/operations.ts'
import type { VoiceAgentStatus } from '../generated/schema.ts'
import { callWords } from '../language/en/calls.ts'
import { Status, type Tone } from '../pieces/status.tsx'

const tones = {
  DRAFT: 'quiet',
  PROVISIONING: 'waiting',
  ACTIVE: 'good',
  PAUSED: 'waiting',
  FAILED: 'failing',
  ARCHIVED: 'quiet',
} satisfies Record<VoiceAgentStatus, Tone>

type Stated = Pick<VoiceAgentRowFragment, 'status' | 'statusReason'>

export const AgentState = ({ agent }: { agent: Stated }) => (
  <Status tone={tones[agent.status]} label={callWords.agentStatus[agent.status]} />
)

/** The status with its reason beside it; a hover shows the whole reason. */
export function AgentStateWithReason({ agent }: { agent: Stated }) {
  if (!agent.statusReason) return <AgentState agent={agent} />
  return (
    <Tooltip label={agent.statusReason} multiline maw={360}>
      <Text span inherit truncate display="block">
        <Status tone={tones[agent.status]} label={`${callWords.agentStatus[agent.status]}: ${agent.statusReason}`} />
      </Text>
    </Tooltip>
  )
}
