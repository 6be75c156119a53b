// The keys of a shortcut, as they stand on the keyboard.

import { Group, Kbd } from '@mantine/core'
import { Fragment } from 'react'

const names: Record<string, string> = { mod: /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl', escape: 'Esc' }

export function Keys({ keys }: { keys: string }) {
  const parts = names[keys] ? [names[keys]] : keys.split('+').map(part => names[part.toLowerCase()] ?? part)
  return (
    <Group gap={4} wrap="nowrap">
      {parts.map(part => (
        <Fragment key={part}>
          <Kbd size="xs">{part}</Kbd>
        </Fragment>
      ))}
    </Group>
  )
}
