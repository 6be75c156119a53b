// The sorts of a list, in both directions.

import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { laterWords } from '../../language/en/shared/later.ts'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import type { SortMenuProps } from './sort-menu.tsx'

const ways = [
  { way: 'ascending', Icon: IconArrowUp },
  { way: 'descending', Icon: IconArrowDown },
] as const

export default function SortItems({ columns, sort, onSort, target, isOpen, onOpen }: SortMenuProps & OpeningProps) {
  return (
    <Menu opened={isOpen} onChange={onOpen}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {columns.map(({ id, header, sort: sorts }) =>
          ways.map(
            ({ way, Icon }) =>
              sorts && (
                <Menu.Item
                  key={`${id} ${way}`}
                  leftSection={<Icon aria-hidden />}
                  fw={sorts[way] === sort ? 600 : undefined}
                  aria-current={sorts[way] === sort || undefined}
                  onClick={() => onSort(sorts[way])}
                >
                  {laterWords.sort[way](header)}
                </Menu.Item>
              ),
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
