// Asks before something is lost, naming what. Where it cannot be undone, the name has to be typed.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { useBack } from '../frame/floating/use-back.ts'

interface Question {
  /** "Delete 12 contacts?" */
  title: string
  /** What is lost, in a sentence. */
  loses: string
  /** The verb of the button: "Delete contacts". */
  verb: string
  /** For what cannot be undone: the name that has to be typed. */
  typed?: string
  /** Whether something is lost, which makes the button red. */
  isDestructive?: boolean
  onConfirm(): void
}

let tellStanding = () => {}
const standing = new Promise<void>(resolve => {
  tellStanding = resolve
})

/** Called when the provider of dialogs stands. It is loaded beside the first screen, and hears nothing that is asked before. */
export const dialogsStand = () => tellStanding()

export function confirm(question: Question): void {
  void standing.then(() => open(question))
}

function open({ title, loses, verb, typed, isDestructive = true, onConfirm }: Question): void {
  const id = modals.open({
    title,
    closeButtonProps: { 'aria-label': 'Close' },
    children: (
      <Answer
        loses={loses}
        verb={verb}
        typed={typed}
        isDestructive={isDestructive}
        onClose={() => modals.close(id)}
        onConfirm={onConfirm}
      />
    ),
  })
}

interface AnswerProps {
  loses: string
  verb: string
  typed: string | undefined
  isDestructive: boolean
  onClose(): void
  onConfirm(): void
}

function Answer({ loses, verb, typed, isDestructive, onClose, onConfirm }: AnswerProps) {
  const [text, setText] = useState('')
  // The dialog leaves the history at once, not after it has faded out, because the confirmed action may lead to another page.
  const [isOpen, setOpen] = useState(true)
  useBack(isOpen, onClose)
  const end = () => {
    setOpen(false)
    onClose()
  }
  return (
    <Stack gap="md">
      <Text size="sm">{loses}</Text>
      {typed !== undefined && (
        <TextInput
          label={`Type "${typed}" to confirm`}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <Group gap="xs">
        <Button
          color={isDestructive ? 'red' : undefined}
          disabled={typed !== undefined && text !== typed}
          onClick={() => {
            end()
            onConfirm()
          }}
          data-autofocus={typed === undefined}
        >
          {verb}
        </Button>
        <Button variant="default" onClick={end}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
