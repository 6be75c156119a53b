// The button of the list of columns.

import { ActionIcon } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { tableWords } from '../../language/en/frame.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import type { ColumnTable } from '../use-columns.ts'

const Columns = opensLater(() => loadPart(() => import('./columns-popover.tsx')))

export function ColumnsMenu({ table }: { table: ColumnTable }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Columns
      table={table}
      isOpen={isOpen}
      onOpen={setOpen}
      isOwnClick
      target={
        <ActionIcon aria-label={tableWords.columns} title={tableWords.columns} onClick={() => setOpen(!isOpen)}>
          <IconColumns3 />
        </ActionIcon>
      }
    />
  )
}
