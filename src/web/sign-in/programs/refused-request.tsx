// An application's invalid request: shows the problem for its developer, and redirects nobody.

import { Code, Stack, Text } from '@mantine/core'
import type { Failure } from '../../data/failure.ts'
import { programWords } from '../../language/en/account/programs.ts'
import { FailureAlert } from '../../pieces/states/failure-alert.tsx'
import { Gate } from '../../session/gate.tsx'

export function RefusedRequest({ failure }: { failure: Failure }) {
  return (
    <Gate title={programWords.cannotAnswer}>
      <Stack gap="sm">
        <FailureAlert failure={failure} />
        {failure.problems.map(({ path, message }) => (
          <Text key={path + message} size="sm">
            <Code>{path}</Code> {message}
          </Text>
        ))}
        <Text size="sm" c="dimmed">
          {programWords.noAccess}
        </Text>
      </Stack>
    </Gate>
  )
}
