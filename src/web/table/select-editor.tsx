// The editor of a cell with one of several values.

import { Group, Kbd, Select } from '@mantine/core'
import { useMemo } from 'react'
import { highlightedOption } from '../keyboard/highlighted.ts'
import { lettersOf } from './option-letters.ts'
import classes from './table.module.css'

interface SelectEditorOptions {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onDone(goesTo: 'cell' | 'next'): void
  /** Called only with a changed value. */
  onSave(value: string): void
}

// More options are searched by typing.
const most = 12

export default function SelectEditor({ label, value, options, onDone, onSave }: SelectEditorOptions) {
  const isShort = options.length <= most
  const letters = useMemo(() => (isShort ? lettersOf(options) : new Map<string, string>()), [options, isShort])
  const take = (next: string | undefined, goesTo: 'cell' | 'next') => {
    if (next !== undefined && next !== value) onSave(next)
    onDone(goesTo)
  }
  return (
    <Select
      aria-label={label}
      size="xs"
      variant="unstyled"
      className={classes.editor}
      data={[...options]}
      defaultValue={value}
      defaultDropdownOpened
      // Typing finds one of many, such as a country.
      searchable={!isShort}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" flex={1} data-value={option.value}>
          {option.label}
          {letters.has(option.value) && (
            <Kbd size="xs" aria-hidden>
              {letters.get(option.value)}
            </Kbd>
          )}
        </Group>
      )}
      autoFocus
      allowDeselect={false}
      comboboxProps={{ width: 200, position: 'bottom-start', shadow: 'md' }}
      onOptionSubmit={next => take(next, 'cell')}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') onDone('cell')
        const named = options.find(option => letters.get(option.value) === event.key.toLocaleUpperCase())
        if (named && !event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault()
          take(named.value, 'cell')
        }
        if (event.key === 'Tab') {
          event.preventDefault()
          take(highlightedOption()?.querySelector<HTMLElement>('[data-value]')?.dataset.value, 'next')
        }
      }}
      onBlur={() => onDone('cell')}
    />
  )
}
