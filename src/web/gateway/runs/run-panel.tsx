// A run in the panel: its message, reply, deliveries, and the reasons of failures.

import { Button, Group, Stack, Text } from '@mantine/core'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { AgentRunPanelDocument, CancelAgentRunDocument, RetryAgentRunDocument } from '../../generated/documents/gateway.ts'
import type { AgentRunPanelQuery } from '../../generated/operations.ts'
import { assistantWords } from '../../language/en/assistant.ts'
import { assistantPageWords } from '../../language/en/screens/assistant.ts'
import { decimalText, numberText } from '../../language/format.ts'
import { Credits } from '../../pieces/money.tsx'
import { Part } from '../../pieces/part.tsx'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import { Unread } from '../../pieces/states/unread.tsx'
import { Time } from '../../pieces/time.tsx'
import { useMe } from '../../session/use-me.ts'
import { Said } from '../turn.tsx'
import { DeliveryOutcome, DeliveryState, RunState } from './run-status.tsx'

type ShownRun = NonNullable<AgentRunPanelQuery['agentRun']>

export function RunPanel({ id, onSession }: { id: string; onSession(key: string): void }) {
  const read = useRead(AgentRunPanelDocument, { id })
  const run = read.data?.agentRun
  if (!run) return <Unread read={read} />
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Text size="sm" component="span" role="status">
          <RunState status={run.status} />
        </Text>
        <Text size="sm" c="dimmed">
          {run.name ?? assistantWords.runKind[run.kind]}, <Time at={run.createdAt} />, {assistantPageWords.runs.attempt(run.attempt)}
        </Text>
      </Group>
      {run.error && (
        <Text size="sm" c="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
          {run.error}
        </Text>
      )}
      <Actions run={run} onSession={onSession} />
      <Part order={3} title={assistantPageWords.lists.message}>
        <Said text={run.message} />
      </Part>
      {run.reply && (
        <Part order={3} title={assistantPageWords.runs.reply}>
          <Said text={run.reply} />
        </Part>
      )}
      <Deliveries run={run} />
      <Part order={3} title={assistantPageWords.runs.work}>
        <Text size="sm">
          {assistantPageWords.runs.used(
            run.agentId,
            run.model,
            run.usage.steps,
            numberText(run.usage.inputTokens),
            numberText(run.usage.outputTokens),
          )}{' '}
          <Credits value={run.usage.creditsCharged} /> {assistantPageWords.runs.ofAtMost(decimalText(run.usage.creditCeiling))}
        </Text>
      </Part>
      {run.events.length > 0 && (
        <Part order={3} title={assistantPageWords.lists.events}>
          {run.events.map(event => (
            <Text key={event.id} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {event.text}
            </Text>
          ))}
        </Part>
      )}
    </Stack>
  )
}

function Actions({ run, onSession }: { run: ShownRun; onSession(key: string): void }) {
  const { isOff } = useMe()
  const retry = useMutationWithProblems(RetryAgentRunDocument)
  const cancel = useMutationWithProblems(CancelAgentRunDocument)
  const failure = retry.failure ?? cancel.failure
  const isOver = run.status === 'COMPLETED' || run.status === 'FAILED'
  return (
    <>
      <Group gap="xs">
        {run.status === 'FAILED' && (
          <Button disabled={isOff} loading={retry.isRunning} onClick={() => void retry.run({ id: run.id })}>
            {assistantPageWords.runs.retry}
          </Button>
        )}
        {!isOver && (
          <Button color="red" variant="light" disabled={isOff} loading={cancel.isRunning} onClick={() => void cancel.run({ id: run.id })}>
            {assistantPageWords.runs.cancel}
          </Button>
        )}
        {run.session && (
          <Button variant="default" onClick={() => onSession(run.sessionKey)}>
            {assistantPageWords.runs.open}
          </Button>
        )}
      </Group>
      {failure && <ErrorNotice failure={failure} />}
    </>
  )
}

function Deliveries({ run: { delivery, deliveries } }: { run: ShownRun }) {
  return (
    <Part order={3} title={assistantPageWords.runs.delivery}>
      <Text size="sm" component="div">
        <DeliveryOutcome status={delivery.status} />
        {delivery.channel && ` ${assistantWords.channel[delivery.channel]}`} {delivery.to}
      </Text>
      {delivery.reason && (
        <Text size="sm" c="dimmed">
          {delivery.reason}
        </Text>
      )}
      {deliveries.map(one => (
        <Text key={one.id} size="sm" component="div">
          {assistantPageWords.runs.part(one.part, one.parts)} <DeliveryState state={one.state} /> {one.reason}
        </Text>
      ))}
    </Part>
  )
}
