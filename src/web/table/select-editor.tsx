// The editor of a cell with one of several values.

import { Select } from '@mantine/core'
import { highlightedOption } from '../keyboard/highlighted.ts'
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
      searchable={options.length > most}
      autoFocus
      allowDeselect={false}
      comboboxProps={{ width: 200, position: 'bottom-start', shadow: 'md' }}
      onOptionSubmit={next => take(next, 'cell')}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') onDone('cell')
        // As in a menu: a letter takes the only option that begins with it.
        const [named, ...others] = options.filter(({ label }) => label.toLocaleLowerCase().startsWith(event.key.toLocaleLowerCase()))
        if (options.length <= most && named && others.length === 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault()
          take(named.value, 'cell')
        }
        if (event.key === 'Tab') {
          event.preventDefault()
          const label = highlightedOption()?.textContent
          take(options.find(option => option.label === label)?.value, 'next')
        }
      }}
      onBlur={() => onDone('cell')}
    />
  )
}
