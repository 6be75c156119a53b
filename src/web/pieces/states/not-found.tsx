// The page for an unknown address, and for an id that is deleted or belongs to another organization.

import { Center, Stack, Text, Title } from '@mantine/core'
import { ButtonLink } from '../links.tsx'

interface NotFoundProps {
  /** The noun of the missing object: "contact". */
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
