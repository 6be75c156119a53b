// Keys that reach the rows from anywhere on the screen: J and K move the focus into the list, and then from row to row. So do the arrows while
// nothing has the focus. They are listed behind `?`, with the keys of a row. The grid loads them after its first rows.

import { useHotkeys } from '@mantine/hooks'
import { useShortcut } from '../../keyboard/shortcuts.ts'
import { laterWords } from '../../language/en/shared/later.ts'

interface ListKeysProps {
  /** Null where rows cannot be selected. */
  onSelectAll: (() => void) | null
  /** Whether a cell has the focus. */
  isInside(): boolean
  /** Gives the focus to the active cell. */
  onEnter(): void
  onMove(rows: number): void
}

// A dialog, a menu or an open list of options keeps its keys.
const ownsKeys = '[role=dialog], [role=menu], [role=listbox]'

export default function ListKeys({ onSelectAll, isInside, onEnter, onMove }: ListKeysProps) {
  const { next, previous, open, select, range, all } = laterWords.listKeys
  const step = (rows: number) => {
    if (document.activeElement?.closest(ownsKeys)) return
    if (isInside()) onMove(rows)
    else onEnter()
  }
  useShortcut('J', next, () => step(1))
  useShortcut('K', previous, () => step(-1))
  useShortcut('enter', open, null)
  const isSelectable = onSelectAll !== null
  useShortcut('space', select, null, { isOn: isSelectable })
  useShortcut('shift+arrows', range, null, { isOn: isSelectable })
  const selectAll = () => !document.activeElement?.closest(ownsKeys) && onSelectAll?.()
  useShortcut('mod+A', all, selectAll, { isOn: isSelectable })
  const enter = () => {
    if (document.activeElement === document.body || document.activeElement?.id === 'main') onEnter()
  }
  useHotkeys([
    ['ArrowDown', enter, { preventDefault: false }],
    ['ArrowUp', enter, { preventDefault: false }],
  ])
  return null
}
