// The editor of a cell. It keeps the row that was there when editing began: what it writes names the version that somebody has seen.

import { Suspense, useState } from 'react'
import type { Column, EditorProps } from '../columns.ts'

interface CellEditorProps<Row> extends EditorProps<Row> {
  column: Column<Row>
}

export function CellEditor<Row>({ column, row, onDone }: CellEditorProps<Row>) {
  const [seen] = useState(row)
  return <Suspense fallback={column.cell(row)}>{column.editor?.({ row: seen, onDone })}</Suspense>
}
