// The toolbar of the list: a search that runs while somebody types, a chip for each filter, and the number of matching contacts.

import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { useOwners } from '../../contact-record/fields/choices.ts'
import type { ContactField } from '../../contact-record/fields/fields.ts'
import { Toolbar, Total } from '../../frame/header.tsx'
import { useShortcut } from '../../keyboard/shortcuts.ts'
import { listWords } from '../../language/en/contact/list.ts'
import { nounWords } from '../../language/en/values.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import { SearchInput } from '../../table/search-input.tsx'
import { Chip } from './chip.tsx'
import { filterKinds } from './kinds.ts'
import { type FilterSearch, isFiltered, noFilters } from './search.ts'

const FilterList = opensLater(() => loadPart(() => import('./list.tsx')))

interface FiltersProps {
  search: FilterSearch
  fields: readonly ContactField[]
  total: number | null | undefined
  onChange(change: FilterSearch): void
  /** Chips of further conditions. */
  children?: ReactNode
}

export function Filters({ search, fields, total, onChange, children }: FiltersProps) {
  const owners = useOwners()
  const kinds = useMemo(() => filterKinds(owners, fields), [owners, fields])
  // The filter whose editor is open. It may have no value yet.
  const [open, setOpen] = useState<string | null>(null)
  const [isListed, setListed] = useState(false)
  const shown = kinds.filter(kind => kind.id === open || kind.says(search) !== '')
  useShortcut('F', listWords.filter.key, () => setListed(true))
  return (
    <Toolbar>
      <SearchInput q={search.q ?? ''} {...listWords.search} onChange={q => onChange({ q })} />
      {shown.map(kind => (
        <Chip
          key={kind.id}
          kind={kind}
          search={search}
          isOpen={open === kind.id}
          onOpen={isOpen => setOpen(isOpen ? kind.id : null)}
          onChange={onChange}
        />
      ))}
      {children}
      <FilterList
        kinds={kinds.filter(({ isHidden }) => !isHidden)}
        isOpen={isListed}
        onOpen={setListed}
        onChoose={setOpen}
        target={
          <Button variant="subtle" color="gray" leftSection={<IconFilter size={14} />}>
            {listWords.filter.button}
          </Button>
        }
      />
      {isFiltered(search) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(noFilters)}>
          {listWords.filter.clearAll}
        </Button>
      )}
      <Total count={total} nouns={nounWords.contact} />
    </Toolbar>
  )
}
