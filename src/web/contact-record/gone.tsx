// The page of a contact that cannot be found: it never existed, belongs to another organization, or was merged into another contact.

import { Center, Stack, Text, Title } from '@mantine/core'
import type { Failure } from '../data/failure.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'

export function Gone({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  // A malformed id is treated like an unknown one.
  if (failure.code !== 'NOT_FOUND' && failure.code !== 'INVALID')
    return (
      <Center p="xl">
        <ErrorNotice failure={failure} onRetry={onRetry} />
      </Center>
    )
  return (
    <Center p="xl" mih="40dvh">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={1} size="h2">
          {recordWords.gone.title}
        </Title>
        <Text c="dimmed" ta="center">
          {failure.mergedInto ? recordWords.gone.merged : recordWords.gone.unknown}
        </Text>
        {failure.mergedInto ? (
          <ButtonLink to="/contacts/$contactId" params={{ contactId: failure.mergedInto }} mt="xs">
            {recordWords.gone.openOther}
          </ButtonLink>
        ) : (
          <ButtonLink to="/contacts" variant="default" mt="xs">
            {recordWords.gone.toContacts}
          </ButtonLink>
        )}
      </Stack>
    </Center>
  )
}
