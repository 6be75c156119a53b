// Edits the company of a deal in its place: typing finds one by its name or domain.

import { Select } from '@mantine/core'
import { useState } from 'react'
import { useCompanyOptions } from '../company-record/choices.ts'
import { highlightedOption } from '../keyboard/highlighted.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import classes from '../table/table.module.css'
import type { Deal } from './fields.ts'

interface CompanyEditorProps {
  deal: Deal
  label: string
  onDone(goesTo: 'cell' | 'next'): void
  /** `text`: the name of the company. */
  onSave(companyId: string | null, text: string): void
}

// The option for no company.
const none = ''

export default function CompanyEditor({ deal: { company }, label, onDone, onSave }: CompanyEditorProps) {
  const [typed, setTyped] = useState('')
  const options = useCompanyOptions(typed, null)
  const all = [...(company && typed === '' ? [{ value: none, label: dealWords.noCompany }] : []), ...options]
  const take = (value: string | undefined, goesTo: 'cell' | 'next') => {
    if (value !== undefined && value !== (company?.id ?? none))
      onSave(value === none ? null : value, all.find(option => option.value === value)?.label ?? '')
    onDone(goesTo)
  }
  return (
    <Select
      aria-label={label}
      size="xs"
      variant="unstyled"
      className={classes.editor}
      placeholder={company?.name ?? dealWords.findCompany}
      data={all}
      // The server has searched.
      filter={({ options: found }) => found}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={dealWords.noSuchCompany}
      defaultDropdownOpened
      autoFocus
      comboboxProps={{ width: 240, position: 'bottom-start', shadow: 'md' }}
      onOptionSubmit={value => take(value, 'cell')}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') onDone('cell')
        if (event.key !== 'Tab') return
        event.preventDefault()
        const chosen = highlightedOption()?.textContent
        take(typed === '' ? undefined : options.find(option => option.label === chosen)?.value, 'next')
      }}
      onBlur={() => onDone('cell')}
    />
  )
}
