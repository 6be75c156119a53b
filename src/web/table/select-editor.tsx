// The editor of a cell that has one of several values.

import { Select } from '@mantine/core'
import type { EditorOptions } from './editors.tsx'
import classes from './table.module.css'

interface SelectEditorOptions extends EditorOptions {
  options: readonly { value: string; label: string }[]
}

export default function SelectEditor({ label, value, options, onDone, onSave }: SelectEditorOptions) {
  return (
    <Select
      aria-label={label}
      size="xs"
      variant="unstyled"
      className={classes.editor}
      data={[...options]}
      defaultValue={value}
      defaultDropdownOpened
      autoFocus
      allowDeselect={false}
      comboboxProps={{ width: 200, position: 'bottom-start', shadow: 'md' }}
      onChange={next => {
        if (next !== null && next !== value) onSave(next)
        onDone('cell')
      }}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') onDone('cell')
        if (event.key === 'Tab') {
          event.preventDefault()
          onDone('next')
        }
      }}
      onBlur={() => onDone('cell')}
    />
  )
}
