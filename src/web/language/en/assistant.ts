// Words about the assistant (the gateway in the contract): its runs, events, channels and messages.

import type {
  AgentDeliveryState,
  AgentRunDeliveryStatus,
  AgentRunKind,
  AgentRunStatus,
  AgentTurnRole,
  Channel,
  ChannelChoice,
  HookAuthentication,
  SystemEventSource,
  SystemEventState,
  WakeMode,
} from '../../generated/schema.ts'
import { room } from '../language.ts'

const channel = {
  DISCORD: 'Discord',
  IMESSAGE: 'iMessage',
  MATTERMOST: 'Mattermost',
  MSTEAMS: 'Microsoft Teams',
  SIGNAL: 'Signal',
  SLACK: 'Slack',
  TELEGRAM: 'Telegram',
  WHATSAPP: 'WhatsApp',
} satisfies Record<Channel, string>

export const assistantWords = room('assistant', {
  tabs: { conversations: 'Conversations', runs: 'Runs', events: 'Events', deliveries: 'Messages sent', hooks: 'Incoming webhooks' },
  runKind: { HEARTBEAT: 'Scheduled check', HOOK: 'Incoming webhook' } satisfies Record<AgentRunKind, string>,
  runStatus: { ACCEPTED: 'Waiting', RUNNING: 'Running', COMPLETED: 'Completed', FAILED: 'Failed' } satisfies Record<AgentRunStatus, string>,
  speaker: { USER: 'Person', ASSISTANT: 'Assistant', TOOL: 'Tool' } satisfies Record<AgentTurnRole, string>,
  channel: { ...channel, LAST: 'Last used channel' } satisfies Record<ChannelChoice, string>,
  delivery: {
    PENDING: 'Waiting',
    SENDING: 'Sending',
    SENT: 'Sent',
    UNDELIVERABLE: 'Could not be delivered',
    UNKNOWN: 'May have arrived',
  } satisfies Record<AgentDeliveryState, string>,
  runDelivery: {
    NOT_REQUESTED: 'No message wanted',
    PENDING: 'Waiting',
    SENT: 'Sent',
    SKIPPED: 'Nothing to send',
    UNDELIVERABLE: 'Could not be delivered',
    UNKNOWN: 'May have arrived',
  } satisfies Record<AgentRunDeliveryStatus, string>,
  eventSource: { USER: 'Person', HOOK: 'Incoming webhook', RUN: 'Run' } satisfies Record<SystemEventSource, string>,
  eventState: { QUEUED: 'Waiting', TAKEN: 'Being read', SEEN: 'Read' } satisfies Record<SystemEventState, string>,
  wake: { NOW: 'Now', NEXT_HEARTBEAT: 'At the next scheduled check' } satisfies Record<WakeMode, string>,
  authentication: { HOOK_TOKEN: 'Shared token', OWN_TOKEN: 'Own token', SIGNATURE: 'Signature' } satisfies Record<
    HookAuthentication,
    string
  >,
})
