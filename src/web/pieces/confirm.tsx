// Asks before something is lost, naming what. Where it cannot be undone, the name has to be typed.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'

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
        onCancel={() => modals.close(id)}
        onConfirm={() => {
          modals.close(id)
          onConfirm()
        }}
      />
    ),
  })
}

interface AnswerProps {
  loses: string
  verb: string
  typed: string | undefined
  isDestructive: boolean
  onCancel(): void
  onConfirm(): void
}

function Answer({ loses, verb, typed, isDestructive, onCancel, onConfirm }: AnswerProps) {
  const [text, setText] = useState('')
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
          onClick={onConfirm}
          data-autofocus={typed === undefined}
        >
          {verb}
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
