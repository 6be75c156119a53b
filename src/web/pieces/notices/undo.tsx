// Names a finished action, and offers to undo it for ten seconds.

import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { announce } from '../../keyboard/announce.tsx'
import { errorWords } from '../../language/en/errors.ts'

const undoMs = 10_000

export function offerUndo(sentence: string, undo: () => void): void {
  announce(errorWords.canBeUndone(sentence))
  const id = notifications.show({
    autoClose: undoMs,
    closeButtonProps: { 'aria-label': errorWords.dismiss },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{sentence}</Text>
        <Button
          variant="subtle"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {errorWords.undo}
        </Button>
      </Group>
    ),
  })
}
