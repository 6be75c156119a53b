// The toolbar of the list of companies: search, owner, tags, countries, deleted ones, and the number of matching companies.

import { Button, Switch } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useOwners, useTagNames } from '../contact-record/fields/choices.ts'
import type { Option } from '../contact-record/fields/fields.ts'
import { Toolbar, Total } from '../frame/header.tsx'
import type { CompanyFilter } from '../generated/operations.ts'
import { countryOptions } from '../language/countries.ts'
import { companyWords } from '../language/en/companies.ts'
import { fieldWords, nounWords } from '../language/en/values.ts'
import { Several } from '../pieces/several.tsx'
import classes from '../table/filter.module.css'
import { Folded } from '../table/folded.tsx'
import { SearchInput } from '../table/search-input.tsx'

export interface CompanySearch {
  q?: string | undefined
  owner?: string[] | undefined
  tag?: string[] | undefined
  country?: string[] | undefined
  deleted?: boolean | undefined
}

export const noFilters = { q: undefined, owner: undefined, tag: undefined, country: undefined, deleted: undefined } satisfies CompanySearch

export const isFiltered = (search: CompanySearch): boolean => Object.values(search).some(value => value !== undefined)

export const filterOf = ({ q, owner, tag, country, deleted }: CompanySearch): CompanyFilter => ({
  ...(q !== undefined && { q }),
  ...(owner && { ownerUserIdIn: owner }),
  ...(tag && { tagIn: tag }),
  ...(country && { countryIn: country }),
  ...(deleted && { onlyDeleted: true }),
})

interface FiltersProps {
  search: CompanySearch
  total: number | null | undefined
  onChange(change: CompanySearch): void
  /** Chips of further conditions. */
  children?: ReactNode
}

export function Filters({ search, total, onChange, children }: FiltersProps) {
  const [typedTag, setTypedTag] = useState('')
  const { q: _q, ...others } = search
  const owners = useOwners()
  const countries = useMemo(countryOptions, [])
  const tags = [...new Set([...(search.tag ?? []), ...useTagNames(typedTag)])].map(name => ({ value: name, label: name }))
  const words = companyWords.filter
  const several = (name: 'owner' | 'tag' | 'country', label: string, placeholder: string, data: readonly Option[]) => (
    <Several
      size="xs"
      className={classes.filter}
      aria-label={label}
      placeholder={search[name] ? undefined : placeholder}
      data={[...data]}
      value={search[name] ?? []}
      onChange={chosen => onChange({ [name]: chosen.length > 0 ? chosen : undefined })}
      {...(name === 'tag' && { onSearchChange: setTypedTag })}
      maxValues={20}
      clearable
    />
  )
  return (
    <Toolbar>
      <SearchInput q={search.q ?? ''} {...companyWords.search} onChange={q => onChange({ q })} />
      <Folded isUsed={isFiltered(others)}>
        {several('owner', fieldWords.ownerUserId, words.anyOwner, owners)}
        {several('tag', fieldWords.tags, words.anyTag, tags)}
        {several('country', fieldWords.country, words.anyCountry, countries)}
        <Switch
          size="xs"
          label={words.deleted}
          checked={search.deleted ?? false}
          onChange={event => onChange({ deleted: event.currentTarget.checked || undefined })}
        />
      </Folded>
      {children}
      {isFiltered(search) && (
        <Button variant="subtle" color="gray" onClick={() => onChange(noFilters)}>
          {words.clearAll}
        </Button>
      )}
      <Total count={total} nouns={nounWords.company} />
    </Toolbar>
  )
}
