// Webhook endpoints, the addresses that receive events. Each has a section of its own with its log.

import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { Panel } from '../../frame/panel.tsx'
import { WebhookEndpointsDocument } from '../../generated/documents/settings-webhooks.ts'
import type { WebhookEndpointRowFragment } from '../../generated/operations.ts'
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
  if (isGuest) return <ForAccounts what="Webhooks" />
  if (organization?.role === 'VIEWER')
    return <Empty sentence="Viewers do not manage webhooks. An owner or admin can give you another role." />
  const endpoints = data?.webhookEndpoints.nodes ?? []
  const create = (
    <Button leftSection={<IconPlus />} disabled={isAway} onClick={() => setCreating(true)}>
      New endpoint
    </Button>
  )
  return (
    <Section
      read={read}
      height={114}
      title="Webhooks"
      sentence="Addresses that receive changes as signed requests."
      action={(endpoints.length > 0 || !data) && create}
    >
      {made && <SecretOnce title={`${made.url} is added`} noun="secret" text={made.secret} onDone={() => setMade(null)} />}
      {data && endpoints.length === 0 && (
        <Empty
          sentence="An endpoint tells your server of new contacts, calls and everything else as it happens."
          action={create}
          guide={{ href: '/docs/guides/webhooks', label: 'Contents of a request, and how to verify it' }}
        />
      )}
      {endpoints.length > 0 && (
        <Rows label="Webhook endpoints">
          {endpoints.map(endpoint => (
            <EndpointLine key={endpoint.id} endpoint={endpoint} />
          ))}
        </Rows>
      )}
      {data?.webhookEndpoints.pageInfo.hasNextPage && (
        <Button variant="default" onClick={() => setFirst(first + pageSize)}>
          Show more
        </Button>
      )}
      <Panel isOpen={isCreating} onClose={() => setCreating(false)} title="New webhook endpoint" isForm>
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
  types.length === 0 ? 'All events' : types.length <= 2 ? types.join(', ') : countText(types.length, nounWords.event)
