// Asks before something is lost, and names it. For a loss without undo the person has to type the name.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { useBack } from '../frame/floating/use-back.ts'

interface Question {
  /** "Delete 12 contacts?" */
  title: string
  /** A sentence about the loss. */
  loses: string
  /** The button's text, a verb: "Delete contacts". */
  verb: string
  /** The name to type, for a loss without undo. */
  typed?: string
  /** Whether something is lost; the button is then red. */
  isDestructive?: boolean
  onConfirm(): void
}

let tellStanding = () => {}
const standing = new Promise<void>(resolve => {
  tellStanding = resolve
})

/** Called when the provider of dialogs listens. It is loaded beside the first screen, and misses earlier questions. */
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
  // The history entry goes at once, and not after the fading: the confirmed action may lead to another page.
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
