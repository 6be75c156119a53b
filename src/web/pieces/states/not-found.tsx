// For an address that leads nowhere, and for an id that is gone or was never this organization's.

import { Center, Stack, Text, Title } from '@mantine/core'
import { ButtonLink } from '../links.tsx'

interface NotFoundProps {
  /** What was looked for: "contact". */
  noun?: string
}

export function NotFound({ noun = 'page' }: NotFoundProps) {
  return (
    <Center p="xl" mih="50dvh">
      <Stack align="center" gap="xs">
        <Title order={1} size="h2">
          This {noun} was not found
        </Title>
        <Text c="dimmed">It may have been deleted, or the address has a mistake.</Text>
        <ButtonLink to="/home" variant="default" mt="xs">
          Go to the start page
        </ButtonLink>
      </Stack>
    </Center>
  )
}
