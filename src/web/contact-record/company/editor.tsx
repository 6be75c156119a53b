// Edits the company of a contact in its place. Typing finds companies; the name of none of them makes one. No name unlinks the contact.

import { Autocomplete } from '@mantine/core'
import { useRef, useState } from 'react'
import { useCompanyOptions } from '../../company-record/choices.ts'
import { announce } from '../../keyboard/announce.tsx'
import { highlightedOption } from '../../keyboard/highlighted.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { refusalText } from '../../pieces/notices/refusal.tsx'
import classes from '../../table/table.module.css'
import { type Ending, useEnding } from '../../table/use-ending.ts'
import type { FieldEditorProps } from '../fields/field-editor.tsx'
import type { Contact } from '../fields/fields.ts'

// Options that are no company.
const none = 'none'
const other = 'other'

export default function CompanyEditor({ record: given, field, onDone, save }: FieldEditorProps<Contact>) {
  // The contact as it was when the editor opened.
  const [record] = useState(given)
  const name = record.companyName ?? ''
  const [typed, setTyped] = useState(name)
  const [problem, setProblem] = useState<string | null>(null)
  // Refused by the server. Leaving the field does not send it again.
  const refused = useRef<string | null>(null)
  const text = typed.trim()
  const isTyped = text !== '' && text !== name
  const companies = useCompanyOptions(isTyped ? text : '', null)

  const link = { ...field, id: 'companyId' }
  const before = record.companyId === null ? { field, value: record.companyName } : { field: link, value: record.companyId }
  const unlinked = { field: before.field, value: null }
  const write = (ending: Ending) => {
    if (text === name || (ending === 'gone' && text === refused.current)) return true
    return save({ record, before, ...(text === '' ? unlinked : { field, value: text }) }, failure => {
      if (!isOpen()) return false
      refused.current = text
      setProblem(refusalText(failure))
      announce(refusalText(failure))
      return true
    })
  }
  const { finish, restore, isOpen, isWriting } = useEnding(write, onDone)
  const take = (value: string) => {
    // Enter may choose an option twice.
    if (!isOpen()) return
    if (value === other) return finish('cell', 'stay')
    restore()
    if (value === none) void save({ record, before, ...unlinked })
    else if (value !== record.companyId)
      void save({ record, before, field: link, value, text: companies.find(option => option.value === value)?.label ?? '' })
  }
  const isKnown = companies.some(({ label }) => label.toLowerCase() === text.toLowerCase())
  return (
    <Autocomplete
      aria-label={field.label}
      size="xs"
      variant="unstyled"
      className={classes.editor}
      classNames={{ error: classes.problem }}
      data={[
        ...(name !== '' && !isTyped ? [{ value: none, label: recordWords.company.none }] : []),
        ...companies,
        ...(isTyped && !isKnown ? [{ value: other, label: recordWords.company.other(text) }] : []),
      ]}
      // The server has searched.
      filter={({ options }) => options}
      value={typed}
      onChange={next => {
        setProblem(null)
        setTyped(next)
      }}
      maxLength={200}
      error={problem}
      readOnly={isWriting}
      autoFocus
      defaultDropdownOpened
      comboboxProps={{ width: 260, position: 'bottom-start', shadow: 'md' }}
      // The editor handles Esc, so the panel around it must not.
      data-mantine-stop-propagation="true"
      onFocus={event => event.currentTarget.select()}
      onOptionSubmit={take}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') return restore()
        if (event.key !== 'Enter' && event.key !== 'Tab') return
        event.preventDefault()
        const option = highlightedOption()
        if (option) option.click()
        else finish(event.key === 'Tab' ? 'next' : 'cell', 'stay')
      }}
      onBlur={() => finish('cell', 'gone')}
    />
  )
}
