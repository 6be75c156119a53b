// A chip for each condition of the current view that the filters of the list cannot show: in words, with a button that removes it.

import { ActionIcon, Button, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { besideWords } from '../language/en/views/beside.ts'
import { conditionText } from './condition-text.ts'
import type { Beside } from './use-beside.ts'

export default function BesideChips({ conditions, remove }: Pick<Beside, 'conditions' | 'remove'>) {
  return Object.entries(conditions).map(([name, value]) => {
    const { label, text } = conditionText(name, value)
    return (
      <Button.Group key={name}>
        <Button variant="default" fw={400} title={besideWords.why} component="span" style={{ cursor: 'default' }}>
          <Text span size="xs" c="dimmed">
            {label}
          </Text>
          <Text span size="xs" truncate maw={240} ml={6}>
            {text}
          </Text>
        </Button>
        <ActionIcon variant="default" size={30} aria-label={besideWords.remove(label)} onClick={() => remove(name)}>
          <IconX size={14} />
        </ActionIcon>
      </Button.Group>
    )
  })
}
