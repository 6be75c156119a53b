// The keys of a shortcut, as they stand on the keyboard.

import { Group, Kbd } from '@mantine/core'
import { Fragment } from 'react'

const modifier = { mod: /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl' }

/** `names`: the names of keys that have no letter, in the reader's language. */
export function Keys({ keys, names = {} }: { keys: string; names?: Readonly<Record<string, string>> }) {
  const all: Readonly<Record<string, string>> = { ...modifier, ...names }
  const parts = keys.split('+').map(part => all[part.toLowerCase()] ?? part)
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
