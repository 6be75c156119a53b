// The page of an object that cannot be found, or not be read.

import { Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Failure } from '../../data/failure.ts'
import { ErrorNotice } from './error-notice.tsx'

interface GoneProps {
  failure: Failure
  onRetry(): void
  title: string
  sentence: string
  /** A link to where the person may go on. */
  children: ReactNode
}

export function Gone({ failure, onRetry, title, sentence, children }: GoneProps) {
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
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {sentence}
        </Text>
        {children}
      </Stack>
    </Center>
  )
}
