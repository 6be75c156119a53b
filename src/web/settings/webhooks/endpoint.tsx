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
import { endpointWords } from '../../language/en/settings/endpoints.ts'
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
        <IconArrowLeft aria-hidden /> {endpointWords.toAll}
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
    <Empty sentence={endpointWords.gone} />
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

  const sendTest = () => void test.run({ input: { id } }).then(({ failure }) => !failure && announce(endpointWords.testComes))
  const enable = (isEnabled: boolean) => void update.run({ input: { id, ifVersion: version, isEnabled } }).then(onChanged)
  const disable = () =>
    confirm({
      title: endpointWords.disableQuestion,
      loses: endpointWords.disableLoses,
      verb: endpointWords.disableVerb,
      onConfirm: () => enable(false),
    })
  const rotate = () =>
    confirm({
      title: endpointWords.rotateQuestion,
      loses: endpointWords.rotateLoses,
      verb: endpointWords.rotate,
      isDestructive: false,
      onConfirm: () => void rotation.run({ input: { id } }).then(({ data }) => data && setSecret(data.rotateWebhookSecret.secret)),
    })
  const remove = () =>
    confirm({
      title: endpointWords.deleteQuestion,
      loses: endpointWords.deleteLoses(url),
      verb: endpointWords.deleteVerb,
      onConfirm: () =>
        void deletion.run({ input: { id } }).then(({ failure }) => (failure ? undefined : navigate({ to: '/settings/webhooks' }))),
    })
  const problem = test.failure ?? update.failure ?? rotation.failure ?? deletion.failure
  return (
    <Section title={url} sentence={description} isMono>
      <Group gap="xs">
        <Button disabled={isOff || isDisabled} loading={test.isRunning} onClick={sendTest}>
          {endpointWords.sendTest}
        </Button>
        <Button variant="default" disabled={isOff} onClick={() => setEditing(true)}>
          {endpointWords.edit}
        </Button>
        <Button variant="default" disabled={isOff} loading={update.isRunning} onClick={isDisabled ? () => enable(true) : disable}>
          {isDisabled ? endpointWords.enable : endpointWords.disable}
        </Button>
        <Menu position="bottom-end" width={180}>
          <Menu.Target>
            <Button variant="default" disabled={isOff} rightSection={<IconChevronDown />}>
              {endpointWords.more}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={rotate}>{endpointWords.rotate}</Menu.Item>
            <Menu.Item color="red" onClick={remove}>
              {endpointWords.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {problem && <ErrorNotice failure={problem} />}
      {secret && <SecretOnce title={endpointWords.newSecret} noun={endpointWords.secret} text={secret} onDone={() => setSecret(null)} />}
      {isDisabled && (
        <Alert color="amber" variant="light" icon={<IconAlertTriangle />}>
          <Text size="sm">{endpointWords.disabledAt(disabledAt ? exact(disabledAt) : '', reasonOf(endpoint) ?? '')}</Text>
        </Alert>
      )}
      {!isDisabled && failingSince && (
        <Alert color="amber" variant="light" icon={<IconAlertTriangle />}>
          <Text size="sm">{endpointWords.failingSince(exact(failingSince))}</Text>
        </Alert>
      )}
      <Facts endpoint={endpoint} />
      <Panel isOpen={isEditing} onClose={() => setEditing(false)} title={endpointWords.editTitle} isForm>
        <ChangeEndpoint key={id} endpoint={endpoint} onClose={() => setEditing(false)} />
      </Panel>
    </Section>
  )
}

function Facts({ endpoint }: { endpoint: WebhookEndpointRowFragment }) {
  const { eventTypes, filter, payload, previousSecretUntil, createdAt, createdBy } = endpoint
  return (
    <dl className={classes.facts}>
      <dt>{endpointWords.state}</dt>
      <dd>
        <EndpointState endpoint={endpoint} />
      </dd>
      <dt>{endpointWords.events}</dt>
      <dd>{eventTypes.length === 0 ? endpointWords.all : eventTypes.join(', ')}</dd>
      {filter.length > 0 && (
        <>
          <dt>{endpointWords.filter}</dt>
          <dd>
            {filter.map(({ field, values }) => (
              <div key={field}>
                <Code>{field}</Code> {values ? endpointWords.becomes([...new Set(values.map(String))]) : endpointWords.changes}
              </div>
            ))}
          </dd>
        </>
      )}
      <dt>{endpointWords.payload}</dt>
      <dd>{payload === 'FULL' ? endpointWords.full : endpointWords.thin}</dd>
      {previousSecretUntil && Date.parse(previousSecretUntil) > Date.now() && (
        <>
          <dt>{endpointWords.secrets}</dt>
          <dd>{endpointWords.twoSecrets(exact(previousSecretUntil))}</dd>
        </>
      )}
      <dt>{endpointWords.added}</dt>
      <dd>{endpointWords.addedAt(<Time at={createdAt} />, createdBy.name || null)}</dd>
    </dl>
  )
}
