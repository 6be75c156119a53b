// The list of columns: shows, hides and orders them, also without dragging.

import { ActionIcon, Checkbox, Group, Popover, Stack } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { laterWords } from '../../language/en/shared/later.ts'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import type { ColumnTable } from '../use-columns.ts'

export default function ColumnsPopover({ table, target, isOpen, onOpen }: OpeningProps & { table: ColumnTable }) {
  const { columns } = table
  const order = columns.map(({ id }) => id)
  const move = (id: string, by: number) => {
    const from = order.indexOf(id)
    const rest = order.filter(one => one !== id)
    table.setOrder(rest.toSpliced(from + by, 0, id))
  }
  return (
    <Popover opened={isOpen} onChange={onOpen} position="bottom-end" shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown>
        <Stack gap={4}>
          {columns.map((column, index) => (
            <Group key={column.id} justify="space-between" wrap="nowrap" gap="lg">
              <Checkbox
                size="xs"
                label={column.header}
                checked={column.isShown}
                disabled={index === 0}
                onChange={() => table.toggle(column.id)}
              />
              <Group gap={0} wrap="nowrap">
                <ActionIcon aria-label={laterWords.sort.up(column.header)} disabled={index < 2} onClick={() => move(column.id, -1)}>
                  <IconArrowUp size={14} />
                </ActionIcon>
                <ActionIcon
                  aria-label={laterWords.sort.down(column.header)}
                  disabled={index === 0 || index === columns.length - 1}
                  onClick={() => move(column.id, 1)}
                >
                  <IconArrowDown size={14} />
                </ActionIcon>
              </Group>
            </Group>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
