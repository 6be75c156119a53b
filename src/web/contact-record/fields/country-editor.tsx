// Edits a country in its place: typing finds its name.

import { type ComponentProps, useMemo } from 'react'
import { countryOptions } from '../../language/countries.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { SelectEditor } from '../../table/editors.tsx'

export default function CountryEditor(props: Omit<ComponentProps<typeof SelectEditor>, 'options'>) {
  const options = useMemo(() => [{ value: '', label: contactWords.record.nothing }, ...countryOptions()], [])
  return <SelectEditor {...props} options={options} />
}
