// The list of shortcuts that `?` opens.

import { Group, Modal, Stack, Text } from '@mantine/core'
import { Keys } from './keys.tsx'
import { useShortcuts } from './shortcuts.ts'

export default function ShortcutList({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const shortcuts = useShortcuts()
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="xs">
        {shortcuts.map(({ keys, label }) => (
          <Group key={`${keys} ${label}`} justify="space-between" wrap="nowrap">
            <Text size="sm">{label}</Text>
            <Keys keys={keys} />
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
