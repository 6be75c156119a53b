// The button that sorts a list on a phone, where there are no headers to click.

import { Button, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { loadPart } from '../../app/loaded.ts'
import { pieceWords } from '../../language/en/shared/pieces.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import type { Column } from '../columns.ts'

const Items = opensLater(() => loadPart(() => import('./sort-items.tsx')))

export interface SortMenuProps {
  columns: readonly Pick<Column<never>, 'id' | 'header' | 'sort'>[]
  sort: string | undefined
  onSort(sort: string): void
}

export function SortMenu({ columns, sort, onSort }: SortMenuProps) {
  const current = columns.find(column => sort !== undefined && (column.sort?.ascending === sort || column.sort?.descending === sort))
  const Icon = current?.sort?.ascending === sort ? IconArrowUp : IconArrowDown
  return (
    <Items
      columns={columns}
      sort={sort}
      onSort={onSort}
      target={
        <Button variant="subtle" color="gray" leftSection={<Icon />}>
          <Text span inherit truncate>
            {current ? pieceWords.sortedBy(current.header) : pieceWords.sort}
          </Text>
        </Button>
      }
    />
  )
}
