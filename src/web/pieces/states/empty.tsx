// An empty list: one sentence, one button, one link to the guide.

import { Anchor, Button, Center, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { pieceWords } from '../../language/en/shared/pieces.ts'

interface EmptyProps {
  sentence: string
  /** The button that creates the first object, or clears the filters. */
  action?: ReactNode
  guide?: { href: string; label: string }
}

export function Empty({ sentence, action, guide }: EmptyProps) {
  return (
    <Center p="xl" mih={240}>
      <Stack align="center" gap="sm" maw={420}>
        <Text ta="center" c="dimmed">
          {sentence}
        </Text>
        {action}
        {guide && (
          <Anchor href={guide.href} target="_blank" rel="noreferrer" size="sm">
            {guide.label}
          </Anchor>
        )}
      </Stack>
    </Center>
  )
}

/** A list whose filters match no row. */
export function NoMatch({ sentence, onClear }: { sentence: string; onClear(): void }) {
  return (
    <Empty
      sentence={sentence}
      action={
        <Button variant="default" onClick={onClear}>
          {pieceWords.clearFilters}
        </Button>
      }
    />
  )
}
