// The page for an unknown address, and for an id that is deleted or belongs to another organization.

import { Center, Stack, Text, Title } from '@mantine/core'
import { frameWords } from '../../language/en/frame.ts'
import { ButtonLink } from '../links.tsx'

export type MissingNoun = 'page' | 'call' | 'agent' | 'import'

interface NotFoundProps {
  noun?: MissingNoun
}

export function NotFound({ noun = 'page' }: NotFoundProps) {
  return (
    <Center p="xl" mih="50dvh">
      <Stack align="center" gap="xs">
        <Title order={1} size="h2">
          {frameWords.notFound[noun]}
        </Title>
        <Text c="dimmed">{frameWords.notFound.sentence}</Text>
        <ButtonLink to="/home" variant="default" mt="xs">
          {frameWords.notFound.toStart}
        </ButtonLink>
      </Stack>
    </Center>
  )
}
