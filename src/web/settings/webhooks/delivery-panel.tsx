// A delivery in the panel: its request, and the answer to each attempt.

import { Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { ReplayWebhookDeliveryDocument, WebhookDeliveryDocument } from '../../generated/documents/settings-webhooks.ts'
import type { WebhookDeliveryQuery } from '../../generated/operations.ts'
import { endpointWords } from '../../language/en/settings/endpoints.ts'
import { numberText } from '../../language/format.ts'
import { sentence } from '../../language/values.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { CopyText } from '../../pieces/copy-text.tsx'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import { Unread } from '../../pieces/states/unread.tsx'
import { exact, Time } from '../../pieces/time.tsx'
import { DeliveryState, isOver } from './states.tsx'
import classes from './webhooks.module.css'

type Delivery = NonNullable<WebhookDeliveryQuery['webhookDelivery']>
type Attempt = Delivery['attempts'][number]

export function DeliveryPanel({ id, onReplayed }: { id: string; onReplayed(): void }) {
  const isAway = useIsAway()
  // Deliveries are no events, so the cache cannot know whether its copy is current.
  const read = useRead(WebhookDeliveryDocument, { id }, { isFresh: true })
  const replay = useMutationWithProblems(ReplayWebhookDeliveryDocument)
  const delivery = read.data?.webhookDelivery
  if (!delivery) return <Unread read={read} />
  const again = async () => {
    const { failure } = await replay.run({ input: { id } })
    if (!failure) onReplayed()
  }
  return (
    <Stack gap="md">
      <Group gap="xs">
        {isOver(delivery.state) ? (
          <Button variant="default" disabled={isAway} loading={replay.isRunning} onClick={() => void again()}>
            {endpointWords.replay}
          </Button>
        ) : (
          <Button variant="default" onClick={read.reread}>
            {endpointWords.refresh}
          </Button>
        )}
      </Group>
      {replay.failure && <ErrorNotice failure={replay.failure} />}
      <Facts delivery={delivery} />
      <Payload title={endpointWords.request} text={pretty(delivery.requestBody)} none={endpointWords.notSent} />
      <Title order={3} size="h4">
        {endpointWords.attempts}
      </Title>
      {delivery.attempts.length === 0 && (
        <Text size="sm" c="dimmed">
          {endpointWords.noneYet}
        </Text>
      )}
      {delivery.attempts.toReversed().map((attempt, index) => (
        <AttemptView key={attempt.at} attempt={attempt} number={delivery.attemptCount - index} />
      ))}
    </Stack>
  )
}

function Facts({ delivery: { state, reason, dueAt, createdAt, entityId, messageId } }: { delivery: Delivery }) {
  return (
    <dl className={classes.facts}>
      <dt>{endpointWords.state}</dt>
      <dd>
        <DeliveryState state={state} />
      </dd>
      {reason && (
        <>
          <dt>{endpointWords.reason}</dt>
          <dd>{sentence(reason)}</dd>
        </>
      )}
      <dt>{endpointWords.queued}</dt>
      <dd>{exact(createdAt)}</dd>
      {state === 'PENDING' && (
        <>
          <dt>{endpointWords.sentNext}</dt>
          <dd>
            <Time at={dueAt} isPlanned />
          </dd>
        </>
      )}
      <dt>{endpointWords.about}</dt>
      <dd>
        <CopyText text={entityId} label={endpointWords.objectId} />
      </dd>
      <dt>webhook-id</dt>
      <dd>
        <CopyText text={messageId} label="webhook-id" />
      </dd>
    </dl>
  )
}

function AttemptView({ attempt, number }: { attempt: Attempt; number: number }) {
  const { at, durationMs, status, error, requestHeaders, responseHeaders, responseBody } = attempt
  return (
    <Stack gap="xs" className={classes.attempt} role="group" aria-label={endpointWords.attempt(number)}>
      <Text size="sm">{endpointWords.attemptAt(<b>{status ?? endpointWords.noAnswer}</b>, exact(at), numberText(durationMs))}</Text>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {responseBody && <Payload title={endpointWords.answer} text={pretty(responseBody)} />}
      <Payload title={endpointWords.sentHeaders} text={headersOf(requestHeaders)} />
      {responseHeaders && <Payload title={endpointWords.answeredHeaders} text={headersOf(responseHeaders)} />}
    </Stack>
  )
}

function Payload({ title, text, none = '' }: { title: string; text: string | null; none?: string }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {title}
      </Text>
      {text === null ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <Code block className={classes.payload} tabIndex={0} role="region" aria-label={title}>
          {text}
        </Code>
      )}
    </div>
  )
}

const headersOf = (headers: unknown): string =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Formats JSON on several lines; other texts stay unchanged. */
function pretty(text: string | null): string | null {
  if (text === null) return null
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
