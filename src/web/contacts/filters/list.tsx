// The menu that adds a filter to the toolbar.

import { Menu, ScrollArea } from '@mantine/core'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import type { FilterKind } from './kinds.ts'

interface FilterListProps extends OpeningProps {
  kinds: readonly FilterKind[]
  onChoose(id: string): void
}

export default function FilterList({ kinds, onChoose, target, isOpen, onOpen }: FilterListProps) {
  return (
    // The default events include keydown: F, which opens this menu from anywhere, would close it at once.
    <Menu opened={isOpen} onChange={onOpen} returnFocus={false} clickOutsideEvents={['mousedown', 'touchstart']}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={360} type="auto">
          {kinds.map(({ id, label }) => (
            // Waits a frame, until the menu has given back the focus: then the chip's editor takes it.
            <Menu.Item key={id} onClick={() => requestAnimationFrame(() => onChoose(id))}>
              {label}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}
