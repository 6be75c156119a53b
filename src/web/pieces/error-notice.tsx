// An error where its content would be: the sentence, the request's id, and another attempt. The rest of the screen works.

import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import { existingContact, type Failure, isOffline } from '../data/failure.ts'
import { useWait } from '../data/use-wait.ts'
import { AnchorLink } from './links.tsx'
import { amount } from './money.tsx'

interface ErrorNoticeProps {
  failure: Failure
  onRetry?: () => void
}

export function ErrorNotice({ failure, onRetry }: ErrorNoticeProps) {
  const wait = useWait(failure)
  const isAway = isOffline(failure)
  const existing = existingContact(failure)
  const Icon = isAway ? IconCloudOff : IconAlertTriangle
  return (
    <Alert color={isAway ? 'amber' : 'red'} variant="light" icon={<Icon size={16} stroke={1.5} />} role="alert">
      <Text size="sm">{failure.message}</Text>
      {failure.shortfall !== null && <Text size="sm">{amount(failure.shortfall)} are missing.</Text>}
      <Group gap="xs" mt={onRetry || existing ? 'xs' : 0}>
        {existing && (
          <AnchorLink to="/contacts/$contactId" params={{ contactId: existing }} size="sm">
            Open the existing one
          </AnchorLink>
        )}
        {failure.code === 'INSUFFICIENT_CREDITS' && (
          <AnchorLink to="/credits" size="sm">
            Look at the credits
          </AnchorLink>
        )}
        {onRetry && (
          <Button variant="default" disabled={wait > 0} onClick={onRetry}>
            {wait > 0 ? `Try again in ${wait} s` : 'Try again'}
          </Button>
        )}
        {failure.requestId && (
          <Text size="xs" c="dimmed">
            Request <Code>{failure.requestId}</Code>
          </Text>
        )}
      </Group>
    </Alert>
  )
}
