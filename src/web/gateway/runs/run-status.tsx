// The states of runs, deliveries and events.

import type { AgentDeliveryState, AgentRunDeliveryStatus, AgentRunStatus, SystemEventState } from '../../generated/schema.ts'
import { assistantWords } from '../../language/en/assistant.ts'
import { Status, type Tone } from '../../pieces/status.tsx'

const runs = { ACCEPTED: 'waiting', RUNNING: 'information', COMPLETED: 'good', FAILED: 'failing' } satisfies Record<AgentRunStatus, Tone>
export const RunState = ({ status }: { status: AgentRunStatus }) => <Status tone={runs[status]} label={assistantWords.runStatus[status]} />

const deliveries = {
  PENDING: 'waiting',
  SENDING: 'information',
  SENT: 'good',
  UNDELIVERABLE: 'failing',
  UNKNOWN: 'waiting',
} satisfies Record<AgentDeliveryState, Tone>
export const DeliveryState = ({ state }: { state: AgentDeliveryState }) => (
  <Status tone={deliveries[state]} label={assistantWords.delivery[state]} />
)

const outcomes = {
  NOT_REQUESTED: 'quiet',
  PENDING: 'waiting',
  SENT: 'good',
  SKIPPED: 'quiet',
  UNDELIVERABLE: 'failing',
  UNKNOWN: 'waiting',
} satisfies Record<AgentRunDeliveryStatus, Tone>
export const DeliveryOutcome = ({ status }: { status: AgentRunDeliveryStatus }) => (
  <Status tone={outcomes[status]} label={assistantWords.runDelivery[status]} />
)

const events = { QUEUED: 'waiting', TAKEN: 'information', SEEN: 'good' } satisfies Record<SystemEventState, Tone>
export const EventState = ({ state }: { state: SystemEventState }) => (
  <Status tone={events[state]} label={assistantWords.eventState[state]} />
)
