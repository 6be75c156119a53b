// The menu of filters: those that the list can have.

import { Menu, ScrollArea } from '@mantine/core'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import type { FilterKind } from './kinds.ts'

interface FilterListProps extends OpeningProps {
  kinds: readonly FilterKind[]
  onChoose(id: string): void
}

export default function FilterList({ kinds, onChoose, target, isOpen, onOpen }: FilterListProps) {
  return (
    // A key elsewhere closes a menu, and F, which opens this one, is such a key unless its button has the focus.
    <Menu opened={isOpen} onChange={onOpen} returnFocus={false} clickOutsideEvents={['mousedown', 'touchstart']}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={360} type="auto">
          {kinds.map(({ id, label }) => (
            // The chip's editor takes the focus when the menu has given it back.
            <Menu.Item key={id} onClick={() => requestAnimationFrame(() => onChoose(id))}>
              {label}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}
