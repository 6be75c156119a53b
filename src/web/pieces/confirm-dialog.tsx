// The dialog of a question before something is lost.

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { useBack } from '../frame/floating/use-back.ts'
import { laterWords } from '../language/en/shared/later.ts'
import { pieceWords } from '../language/en/shared/pieces.ts'
import type { Question } from './confirm.ts'

export function askToConfirm({ title, loses, verb, typed, isDestructive = true, onConfirm }: Question): void {
  const id = modals.open({
    title,
    closeButtonProps: { 'aria-label': pieceWords.close },
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
        <TextInput label={laterWords.toConfirm(typed)} value={text} onChange={event => setText(event.currentTarget.value)} data-autofocus />
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
          {pieceWords.cancel}
        </Button>
      </Group>
    </Stack>
  )
}
