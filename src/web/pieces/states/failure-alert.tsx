// A failure as a sentence, with its details to copy, and below it the possible actions. It has no links of the app, so the pages before the app can
// use it.

import { Alert, Anchor, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Failure, isOffline } from '../../data/failure.ts'
import { announce } from '../../keyboard/announce.tsx'
import { errorWords } from '../../language/en/errors.ts'

// An operator finds the failure in the log by the id of its request.
async function copyDetails({ code, requestId }: Failure): Promise<void> {
  await navigator.clipboard.writeText(`${code} ${requestId}`)
  announce(errorWords.copied)
}

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
          <Anchor component="button" type="button" size="xs" c="dimmed" onClick={() => void copyDetails(failure)}>
            {errorWords.copyDetails}
          </Anchor>
        )}
      </Group>
    </Alert>
  )
}
