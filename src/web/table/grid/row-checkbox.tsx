// The checkbox that selects rows. It is the browser's own: Mantine's takes ten times as long to render.

import type { MouseEvent } from 'react'
import classes from '../table.module.css'

interface RowCheckboxProps {
  label: string
  isChecked: boolean
  /** Whether only some rows are selected. */
  isMixed?: boolean
  tabIndex?: number
  onClick(event: MouseEvent): void
}

export function RowCheckbox({ label, isChecked, isMixed = false, tabIndex, onClick }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      className={classes.checkbox}
      aria-label={label}
      checked={isChecked}
      ref={input => {
        if (input) input.indeterminate = isMixed
      }}
      tabIndex={tabIndex}
      onChange={() => undefined}
      onClick={onClick}
    />
  )
}
