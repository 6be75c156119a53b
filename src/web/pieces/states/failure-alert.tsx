// A failure as a sentence with the request's id, and below it the possible actions. It has no links of the app, so the pages before the app can
// use it.

import { Alert, Code, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Failure, isOffline } from '../../data/failure.ts'

interface FailureAlertProps {
  failure: Failure
  /** More text, below the sentence. */
  details?: ReactNode
  /** Buttons and links. */
  actions?: ReactNode
}

export function FailureAlert({ failure, details, actions }: FailureAlertProps) {
  const isAway = isOffline(failure)
  const Icon = isAway ? IconCloudOff : IconAlertTriangle
  return (
    <Alert color={isAway ? 'amber' : 'red'} variant="light" icon={<Icon />} role="alert">
      <Text size="sm">{failure.message}</Text>
      {details}
      <Group gap="xs" mt={actions ? 'xs' : 0}>
        {actions}
        {failure.requestId && (
          <Text size="xs" c="dimmed">
            Request <Code>{failure.requestId}</Code>
          </Text>
        )}
      </Group>
    </Alert>
  )
}
