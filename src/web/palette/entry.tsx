// A line of the palette: icon, name and kind.

import { Box, Group, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface PaletteEntry {
  id: string
  label: string
  detail?: string
  kind?: string
  icon: Icon
  run(): void
}

export function Entry({ icon: EntryIcon, kind, children }: { icon: Icon; kind: string | undefined; children: ReactNode }) {
  return (
    <Group wrap="nowrap" gap="sm" w="100%">
      <EntryIcon style={{ flex: 'none' }} />
      <Box flex={1} miw={0}>
        {children}
      </Box>
      {kind && (
        <Text size="xs" c="dimmed" flex="none">
          {kind}
        </Text>
      )}
    </Group>
  )
}
