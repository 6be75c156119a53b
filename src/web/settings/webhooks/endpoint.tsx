// A webhook endpoint: its settings, its actions, and its log.

import { Alert, Button, Code, Group, Menu, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft, IconChevronDown } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DroppedFilters } from '../../address/dropped-filters.tsx'
import type { Failure } from '../../data/failure.ts'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { Panel } from '../../frame/panel.tsx'
import {
  DeleteWebhookEndpointDocument,
  RotateWebhookSecretDocument,
  TestWebhookEndpointDocument,
  UpdateWebhookEndpointDocument,
  WebhookEndpointDocument,
} from '../../generated/documents/settings-webhooks.ts'
import type { WebhookEndpointRowFragment } from '../../generated/operations.ts'
import { announce } from '../../keyboard/announce.tsx'
import { useIsAway } from '../../live/connectivity.ts'
import { confirm } from '../../pieces/confirm.ts'
import { AnchorLink } from '../../pieces/links.tsx'
import { Empty } from '../../pieces/states/empty.tsx'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import { LateSkeleton } from '../../pieces/states/late-skeleton.tsx'
import { exact, Time } from '../../pieces/time.tsx'
import { SecretOnce } from '../keys/secret.tsx'
import { endpointRoute } from '../route.tsx'
import { Section } from '../section.tsx'
import { Deliveries } from './deliveries.tsx'
import { ChangeEndpoint } from './endpoint-form.tsx'
import { EndpointState, reasonOf } from './states.tsx'
import classes from './webhooks.module.css'

export function WebhookEndpoint() {
  const { endpointId } = endpointRoute.useParams()
  const { data, failure, reread } = useRead(WebhookEndpointDocument, { id: endpointId })
  const endpoint = data?.webhookEndpoint
  return (
    <>
      <AnchorLink to="/settings/webhooks" size="sm" className={classes.back}>
        <IconArrowLeft aria-hidden /> All webhooks
      </AnchorLink>
      <DroppedFilters />
      {failure && !endpoint && <Gone failure={failure} onRetry={reread} />}
      {!endpoint && !failure && <LateSkeleton height={32} count={5} />}
      {endpoint && (
        <>
          <Endpoint endpoint={endpoint} onChanged={reread} />
          <Deliveries endpoint={endpoint} />
        </>
      )}
    </>
  )
}

function Gone({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  // A malformed id is treated like an unknown one.
  return failure.code === 'NOT_FOUND' || failure.code === 'INVALID' ? (
    <Empty sentence="This webhook endpoint was not found. It was deleted, or belongs to another organization." />
  ) : (
    <ErrorNotice failure={failure} onRetry={onRetry} />
  )
}

interface EndpointProps {
  endpoint: WebhookEndpointRowFragment
  onChanged(): void
}

function Endpoint({ endpoint, onChanged }: EndpointProps) {
  const { id, url, version, description, state, disabledAt, failingSince } = endpoint
  const isOff = useIsAway()
  const navigate = useNavigate()
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const test = useMutationWithProblems(TestWebhookEndpointDocument)
  const update = useMutationWithProblems(UpdateWebhookEndpointDocument)
  const rotation = useMutationWithProblems(RotateWebhookSecretDocument)
  const deletion = useMutationWithProblems(DeleteWebhookEndpointDocument)
  const isDisabled = state === 'DISABLED'

  const sendTest = () => void test.run({ input: { id } }).then(({ failure }) => !failure && announce('A test is on its way'))
  const enable = (isEnabled: boolean) => void update.run({ input: { id, ifVersion: version, isEnabled } }).then(onChanged)
  const disable = () =>
    confirm({
      title: 'Disable this endpoint?',
      loses:
        'Nothing is sent to it, and later events are not kept for it. Waiting deliveries are canceled; you can replay them from the log.',
      verb: 'Disable endpoint',
      onConfirm: () => enable(false),
    })
  const rotate = () =>
    confirm({
      title: 'Rotate the secret?',
      loses: 'You get a new secret. For another 24 hours each delivery is signed by both, so that you can exchange it.',
      verb: 'Rotate secret',
      isDestructive: false,
      onConfirm: () => void rotation.run({ input: { id } }).then(({ data }) => data && setSecret(data.rotateWebhookSecret.secret)),
    })
  const remove = () =>
    confirm({
      title: 'Delete this endpoint?',
      loses: `Nothing is sent to ${url} any more, and its secret ends. That cannot be undone.`,
      verb: 'Delete endpoint',
      onConfirm: () =>
        void deletion.run({ input: { id } }).then(({ failure }) => (failure ? undefined : navigate({ to: '/settings/webhooks' }))),
    })
  const problem = test.failure ?? update.failure ?? rotation.failure ?? deletion.failure
  return (
    <Section title={url} sentence={description} isMono>
      <Group gap="xs">
        <Button disabled={isOff || isDisabled} loading={test.isRunning} onClick={sendTest}>
          Send test
        </Button>
        <Button variant="default" disabled={isOff} onClick={() => setEditing(true)}>
          Edit
        </Button>
        <Button variant="default" disabled={isOff} loading={update.isRunning} onClick={isDisabled ? () => enable(true) : disable}>
          {isDisabled ? 'Enable' : 'Disable'}
        </Button>
        <Menu position="bottom-end" width={180}>
          <Menu.Target>
            <Button variant="default" disabled={isOff} rightSection={<IconChevronDown />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={rotate}>Rotate secret</Menu.Item>
            <Menu.Item color="red" onClick={remove}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {problem && <ErrorNotice failure={problem} />}
      {secret && <SecretOnce title="The new secret" noun="secret" text={secret} onDone={() => setSecret(null)} />}
      {isDisabled && (
        <Alert color="amber" variant="light" icon={<IconAlertTriangle />}>
          <Text size="sm">
            Disabled {disabledAt && exact(disabledAt)}: {reasonOf(endpoint)}.
          </Text>
        </Alert>
      )}
      {!isDisabled && failingSince && (
        <Alert color="amber" variant="light" icon={<IconAlertTriangle />}>
          <Text size="sm">
            It has accepted no delivery since {exact(failingSince)}. After five such days it is disabled, and its creator gets a mail.
          </Text>
        </Alert>
      )}
      <Facts endpoint={endpoint} />
      <Panel isOpen={isEditing} onClose={() => setEditing(false)} title="Edit webhook endpoint" isForm>
        <ChangeEndpoint key={id} endpoint={endpoint} onClose={() => setEditing(false)} />
      </Panel>
    </Section>
  )
}

function Facts({ endpoint }: { endpoint: WebhookEndpointRowFragment }) {
  const { eventTypes, filter, payload, previousSecretUntil, createdAt, createdBy } = endpoint
  return (
    <dl className={classes.facts}>
      <dt>State</dt>
      <dd>
        <EndpointState endpoint={endpoint} />
      </dd>
      <dt>Events</dt>
      <dd>{eventTypes.length === 0 ? 'All' : eventTypes.join(', ')}</dd>
      {filter.length > 0 && (
        <>
          <dt>Filter</dt>
          <dd>
            {filter.map(({ field, values }) => (
              <div key={field}>
                <Code>{field}</Code> {values ? `becomes ${[...new Set(values.map(String))].join(' or ')}` : 'changes'}
              </div>
            ))}
          </dd>
        </>
      )}
      <dt>Payload</dt>
      <dd>{payload === 'FULL' ? 'Full' : 'Thin'}</dd>
      {previousSecretUntil && Date.parse(previousSecretUntil) > Date.now() && (
        <>
          <dt>Secrets</dt>
          <dd>Two; the one before works until {exact(previousSecretUntil)}</dd>
        </>
      )}
      <dt>Added</dt>
      <dd>
        <Time at={createdAt} />
        {createdBy.name && ` by ${createdBy.name}`}
      </dd>
    </dl>
  )
}
