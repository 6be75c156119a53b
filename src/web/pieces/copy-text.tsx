// A text to copy, such as an id, a key or an address, with its button.

import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { laterWords } from '../language/en/shared/later.ts'

export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>{text}</Code>
      <CopyIcon text={text} label={label} />
    </Group>
  )
}

export function CopyIcon({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? laterWords.copied : laterWords.copy(label)}>
          <ActionIcon aria-label={copied ? laterWords.copied : laterWords.copy(label)} onClick={copy}>
            {copied ? <IconCheck /> : <IconCopy />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
