// The times at which a snoozed item comes back.

import { Menu, Text } from '@mantine/core'
import { inboxWords } from '../language/en/inbox.ts'
import type { OpeningProps } from '../pieces/opens-later.tsx'
import { exact } from '../pieces/time.tsx'
import { snoozeTimes } from './days.ts'

interface SnoozeMenuProps extends OpeningProps {
  onSnooze(until: Date): void
}

export default function SnoozeMenu({ target, isOpen, onOpen, onSnooze }: SnoozeMenuProps) {
  return (
    <Menu opened={isOpen} onChange={onOpen} width={260} position="bottom-end">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown aria-label={inboxWords.snooze}>
        {snoozeTimes().map(({ label, at }) => (
          <Menu.Item
            key={label}
            rightSection={
              <Text size="xs" c="dimmed">
                {exact(at.toISOString())}
              </Text>
            }
            onClick={() => onSnooze(at)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
