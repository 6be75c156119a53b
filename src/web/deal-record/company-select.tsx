// A form's input for a company: typing finds one by its name or domain.

import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { useCompanyOptions } from '../company-record/choices.ts'
import type { Option } from '../contact-record/fields/fields.ts'
import { dealWords } from '../language/en/deals/deals.ts'

interface CompanySelectProps extends Omit<SelectProps, 'data' | 'onChange'> {
  /** The company that is chosen at first. */
  first?: Option | null
  /** The id of a company that cannot be chosen. */
  without?: string
  onChange?(companyId: string | null): void
}

export function CompanySelect({ first = null, without, onChange, ...props }: CompanySelectProps) {
  const [chosen, setChosen] = useState<Option | null>(first)
  const [typed, setTyped] = useState(first?.label ?? '')
  // The chosen name stands in the input, and is no search.
  const options = useCompanyOptions(typed === chosen?.label ? '' : typed, chosen)
  return (
    <Select
      {...props}
      // Mantine would empty the input whenever other companies are found.
      searchValue={typed}
      data={options.filter(({ value }) => value !== without)}
      filter={({ options: found }) => found}
      searchable
      clearable
      onSearchChange={setTyped}
      nothingFoundMessage={dealWords.noSuchCompany}
      onChange={(value, option) => {
        setChosen(value === null ? null : { value, label: option?.label ?? value })
        onChange?.(value)
      }}
    />
  )
}
