// A text to copy: an id, a key, an address. In mono, with its button.

import { Code, Group } from '@mantine/core'
import { CopyIcon } from './icon.tsx'

export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{text}</Code>
      <CopyIcon text={text} label={label} />
    </Group>
  )
}
