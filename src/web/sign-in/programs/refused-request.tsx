// An application asks in a way that cannot be answered: what is wrong, for who makes it. Nobody is led anywhere.

import { Code, Stack, Text } from '@mantine/core'
import type { Failure } from '../../data/failure.ts'
import { FailureAlert } from '../../pieces/states/failure-alert.tsx'
import { Gate } from '../../session/gate.tsx'

export function RefusedRequest({ failure }: { failure: Failure }) {
  return (
    <Gate title="This request cannot be answered">
      <Stack gap="sm">
        <FailureAlert failure={failure} />
        {failure.problems.map(({ path, message }) => (
          <Text key={path + message} size="sm">
            <Code>{path}</Code> {message}
          </Text>
        ))}
        <Text size="sm" c="dimmed">
          Nothing was given to anybody. Tell this to who makes the application.
        </Text>
      </Stack>
    </Gate>
  )
}
