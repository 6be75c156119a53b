// Webhook endpoints, the addresses that receive events. Each has a section of its own with its log.

import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { Panel } from '../../frame/panel.tsx'
import { WebhookEndpointsDocument } from '../../generated/documents/settings-webhooks.ts'
import type { WebhookEndpointRowFragment } from '../../generated/operations.ts'
import { endpointWords } from '../../language/en/settings/endpoints.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText } from '../../language/format.ts'
import { sentence } from '../../language/values.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { AnchorLink } from '../../pieces/links.tsx'
import { Empty } from '../../pieces/states/empty.tsx'
import { ForAccounts } from '../../session/for-accounts.tsx'
import { useMe } from '../../session/use-me.ts'
import { SecretOnce } from '../keys/secret.tsx'
import { Row, Rows, Section } from '../section.tsx'
import { NewEndpoint } from './endpoint-form.tsx'
import { EndpointState, reasonOf } from './states.tsx'
import classes from './webhooks.module.css'

const pageSize = 50

export function Webhooks() {
  const { isGuest, mayWrite, organization } = useMe()
  const isAway = useIsAway()
  const [first, setFirst] = useState(pageSize)
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<{ url: string; secret: string } | null>(null)
  const read = useRead(WebhookEndpointsDocument, { first }, { isOn: organization !== null && mayWrite })
  const { data, reread } = read
  if (isGuest) return <ForAccounts what={endpointWords.title} />
  if (organization?.role === 'VIEWER') return <Empty sentence={endpointWords.viewers} />
  const endpoints = data?.webhookEndpoints.nodes ?? []
  const create = (
    <Button leftSection={<IconPlus />} disabled={isAway} onClick={() => setCreating(true)}>
      {endpointWords.new}
    </Button>
  )
  return (
    <Section
      read={read}
      height={114}
      title={endpointWords.title}
      sentence={endpointWords.sentence}
      action={(endpoints.length > 0 || !data) && create}
    >
      {made && (
        <SecretOnce title={endpointWords.isAdded(made.url)} noun={endpointWords.secret} text={made.secret} onDone={() => setMade(null)} />
      )}
      {data && endpoints.length === 0 && (
        <Empty sentence={endpointWords.empty} action={create} guide={{ href: '/docs/guides/webhooks', label: endpointWords.guide }} />
      )}
      {endpoints.length > 0 && (
        <Rows label={endpointWords.list}>
          {endpoints.map(endpoint => (
            <EndpointLine key={endpoint.id} endpoint={endpoint} />
          ))}
        </Rows>
      )}
      {data?.webhookEndpoints.pageInfo.hasNextPage && (
        <Button variant="default" onClick={() => setFirst(first + pageSize)}>
          {endpointWords.showMore}
        </Button>
      )}
      <Panel isOpen={isCreating} onClose={() => setCreating(false)} title={endpointWords.newTitle} isForm>
        <NewEndpoint
          onClose={() => setCreating(false)}
          onMade={({ secret, endpoint: { url } }) => {
            setMade({ url, secret })
            setCreating(false)
            reread()
          }}
        />
      </Panel>
    </Section>
  )
}

function EndpointLine({ endpoint }: { endpoint: WebhookEndpointRowFragment }) {
  const { id, url, description, eventTypes, state } = endpoint
  const disabled = reasonOf(endpoint)
  return (
    <Row
      isQuiet={state === 'DISABLED'}
      name={
        <AnchorLink
          to="/settings/webhooks/$endpointId"
          params={{ endpointId: id }}
          className={`${classes.address} ${classes.open}`}
          inherit
        >
          {url}
        </AnchorLink>
      }
      facts={
        <>
          <EndpointState endpoint={endpoint} />
          {disabled && <span>{sentence(disabled)}</span>}
          {description && (
            <Text span inherit lineClamp={2}>
              {description}
            </Text>
          )}
          <span>{eventsOf(eventTypes)}</span>
        </>
      }
    />
  )
}

const eventsOf = (types: readonly string[]): string =>
  types.length === 0 ? endpointWords.allEvents : types.length <= 2 ? types.join(', ') : countText(types.length, nounWords.event)
