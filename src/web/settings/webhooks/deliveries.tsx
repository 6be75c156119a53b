// The deliveries of an endpoint with their answers, and replays.

import { Button, Group, Select, Text, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type Connection, useConnection } from '../../data/use-connection.ts'
import { Panel } from '../../frame/panel.tsx'
import { usePanelAddress } from '../../frame/use-panel-address.ts'
import { WebhookDeliveriesDocument } from '../../generated/documents/settings-webhooks.ts'
import type { WebhookDeliveryRowFragment, WebhookEndpointRowFragment } from '../../generated/operations.ts'
import { endpointWords } from '../../language/en/settings/endpoints.ts'
import { webhookWords } from '../../language/en/settings/webhooks.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText } from '../../language/format.ts'
import { optionsOf, sentence } from '../../language/values.ts'
import { type Change, onChange } from '../../live/change.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { Grown } from '../../pieces/states/grown.tsx'
import { Time } from '../../pieces/time.tsx'
import { endpointRoute } from '../route.tsx'
import { Row, Rows, Section } from '../section.tsx'
import { DeliveryPanel } from './delivery-panel.tsx'
import { ReplayRange } from './replay-range.tsx'
import { DeliveryState, isOver } from './states.tsx'
import classes from './webhooks.module.css'

const pageSize = 25
const isChangedBy = ({ type }: Change) => type.startsWith('WEBHOOK_ENDPOINT_')

export function Deliveries({ endpoint }: { endpoint: WebhookEndpointRowFragment }) {
  const { state, delivery } = endpointRoute.useSearch()
  const navigate = useNavigate({ from: endpointRoute.fullPath })
  const isAway = useIsAway()
  const [isReplaying, setReplaying] = useState(false)
  const [told, setTold] = useState<string | null>(null)
  const list = useConnection({
    document: WebhookDeliveriesDocument,
    variables: { first: pageSize, filter: { endpointId: endpoint.id, ...(state && { stateIn: [state] }) } },
    pick: data => data.webhookDeliveries,
    isChangedBy,
  })
  useFollowing(list)
  const panel = usePanelAddress(
    delivery !== undefined,
    () => void navigate({ search: before => ({ ...before, delivery: undefined }), replace: true }),
  )
  const open = (id: string) => void navigate({ search: before => ({ ...before, delivery: id }), ...panel.opening })
  const tellReplayed = (count: number) => {
    const text = count === 0 ? endpointWords.noneMatches : endpointWords.sentAgain(countText(count, nounWords.delivery))
    setTold(text)
    setReplaying(false)
    list.refresh()
  }
  return (
    <Section
      title={endpointWords.deliveries}
      sentence={endpointWords.kept}
      action={
        <Button variant="default" disabled={isAway || endpoint.state === 'DISABLED'} onClick={() => setReplaying(true)}>
          {endpointWords.replayRange}
        </Button>
      }
    >
      <Group gap="xs">
        <Select
          aria-label={endpointWords.stateOf}
          placeholder={endpointWords.allStates}
          w={180}
          clearable
          data={optionsOf(webhookWords.delivery)}
          value={state ?? null}
          onChange={value => void navigate({ search: before => ({ ...before, state: value ?? undefined }), replace: true })}
        />
        <Text size="sm" c="dimmed" component="output">
          {told}
        </Text>
      </Group>
      <Grown list={list} height={57} count={3} empty={state ? endpointWords.noneInState : endpointWords.nothingSent}>
        {list.rows.length > 0 && (
          <Rows label={endpointWords.deliveries}>
            {list.rows.map(row => (
              <DeliveryLine key={row.id} delivery={row} onOpen={() => open(row.id)} />
            ))}
          </Rows>
        )}
      </Grown>
      <Panel isOpen={delivery !== undefined} isInAddress onClose={panel.close} title={endpointWords.delivery}>
        {delivery && (
          <DeliveryPanel
            key={delivery}
            id={delivery}
            onReplayed={() => {
              panel.close()
              tellReplayed(1)
            }}
          />
        )}
      </Panel>
      <Panel isOpen={isReplaying} onClose={() => setReplaying(false)} title={endpointWords.replayTitle} isForm>
        <ReplayRange endpointId={endpoint.id} onClose={() => setReplaying(false)} onReplayed={tellReplayed} />
      </Panel>
    </Section>
  )
}

function DeliveryLine({ delivery, onOpen }: { delivery: WebhookDeliveryRowFragment; onOpen(): void }) {
  const { type, state, reason, attemptCount, responseStatus, replayOf, createdAt, dueAt } = delivery
  return (
    <Row
      name={
        <UnstyledButton fw={500} fz="sm" className={classes.open} onClick={onOpen}>
          {type}
        </UnstyledButton>
      }
      facts={
        <>
          <DeliveryState state={state} />
          {state === 'DELIVERED' && responseStatus !== null && <span>{endpointWords.answered(responseStatus)}</span>}
          {attemptCount > 1 && <span>{endpointWords.attemptCount(attemptCount)}</span>}
          {replayOf && <span>{endpointWords.isReplay}</span>}
          {reason && state !== 'DELIVERED' && <span>{sentence(reason)}</span>}
          {state === 'PENDING' && attemptCount > 0 && <span>{endpointWords.nextAttempt(<Time at={dueAt} isPlanned />)}</span>}
        </>
      }
      actions={
        <Text size="sm" c="dimmed" flex="none">
          <Time at={createdAt} />
        </Text>
      }
    />
  )
}

const followMs = 2000
// After a change; an endpoint has at most 10 s to answer.
const changedMs = 12_000
const soonMs = 30_000

/**
 * Reads the log again after each change of the organization, which may start a delivery, and while a delivery in it is due. The stream of
 * changes does not report deliveries.
 */
function useFollowing(list: Connection<WebhookDeliveryRowFragment>) {
  const latest = useRef(list)
  latest.current = list
  useEffect(() => {
    let until = 0
    const end = onChange(() => {
      until = Date.now() + changedMs
    })
    const timer = setInterval(() => {
      const { rows, isLoading, refresh } = latest.current
      const isSoon = ({ state, dueAt }: WebhookDeliveryRowFragment) => !isOver(state) && Date.parse(dueAt) < Date.now() + soonMs
      if (!isLoading && rows.length <= pageSize && (Date.now() < until || rows.some(isSoon))) refresh()
    }, followMs)
    return () => {
      clearInterval(timer)
      end()
    }
  }, [])
}
