// The list of shortcuts, opened by `?`.

import { Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../frame/floating/dialog.tsx'
import { frameWords } from '../language/en/frame.ts'
import { laterWords } from '../language/en/shared/later.ts'
import { Keys } from './keys.tsx'
import { useShortcuts } from './shortcuts.ts'

export default function ShortcutList({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const shortcuts = useShortcuts()
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={frameWords.shortcuts}>
      <Stack gap="xs">
        {shortcuts.map(
          ({ keys, label }) =>
            keys !== null && (
              <Group key={`${keys} ${label}`} justify="space-between" wrap="nowrap">
                <Text size="sm">{label}</Text>
                <Keys keys={keys} names={laterWords.keyNames} />
              </Group>
            ),
        )}
      </Stack>
    </Dialog>
  )
}
