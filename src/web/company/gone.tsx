// The page of a company that cannot be found, or not be read.

import { Center, Stack, Text, Title } from '@mantine/core'
import type { Failure } from '../data/failure.ts'
import { companyWords } from '../language/en/companies.ts'
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
          {companyWords.gone.title}
        </Title>
        <Text c="dimmed" ta="center">
          {companyWords.gone.unknown}
        </Text>
        <ButtonLink to="/companies" variant="default" mt="xs">
          {companyWords.gone.toCompanies}
        </ButtonLink>
      </Stack>
    </Center>
  )
}
