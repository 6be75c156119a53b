// Names a finished action, and offers to undo it for ten seconds: by its button, or by Ctrl Z.

import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { announce } from '../../keyboard/announce.tsx'
import { isTyping } from '../../keyboard/shortcuts.ts'
import { errorWords } from '../../language/en/errors.ts'

const undoMs = 10_000
const undoKeys = 'Control+Z Meta+Z'

/** The actions that can be undone, by their notices. */
const offered = new Map<string, () => void>()

export function offerUndo(sentence: string, undo: () => void): void {
  announce(errorWords.canBeUndone(sentence))
  const take = () => {
    notifications.hide(id)
    undo()
  }
  const id = notifications.show({
    autoClose: undoMs,
    closeButtonProps: { 'aria-label': errorWords.dismiss },
    onClose: () => {
      offered.delete(id)
      if (offered.size === 0) document.removeEventListener('keydown', onKeyDown)
    },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{sentence}</Text>
        <Button variant="subtle" aria-keyshortcuts={undoKeys} onClick={take}>
          {errorWords.undo}
        </Button>
      </Group>
    ),
  })
  offered.set(id, take)
  document.addEventListener('keydown', onKeyDown)
}

/** Undoes the last action. Fields have an undo of their own. */
function onKeyDown(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  if (!isUndo || isTyping(event.target)) return
  event.preventDefault()
  const [last] = [...offered.values()].reverse()
  last?.()
}
