// One notification for the last decision, with a button that undoes it.

import { Button, Group, Kbd, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { announce } from '../keyboard/announce.tsx'
import { suggestionWords } from '../language/en/screens/suggestions.ts'

const id = 'suggestion-decided'

function show(sentence: string, undo: () => void, forMs: number): void {
  announce(suggestionWords.takesBack(sentence))
  const message = (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {sentence}
      </Text>
      <Button variant="subtle" flex="none" onClick={undo} rightSection={<Kbd size="xs">U</Kbd>}>
        {suggestionWords.undo}
      </Button>
    </Group>
  )
  // Removed and shown again, so that its ten seconds restart.
  notifications.hide(id)
  notifications.show({ id, autoClose: forMs, message, closeButtonProps: { 'aria-label': suggestionWords.dismiss } })
}

export const undoToast = { id, show }
