// Credits: an overview of balance and usage, and the ledger.

import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { Header } from '../frame/header.tsx'
import { frameWords } from '../language/en/frame.ts'
import { creditPageWords } from '../language/en/screens/credits.ts'
import { Ledger } from './ledger.tsx'
import { Overview } from './overview.tsx'
import { creditsRoute } from './route.tsx'

export function CreditsScreen() {
  const { tab, days = '30', type, sort } = creditsRoute.useSearch()
  const navigate = useNavigate({ from: creditsRoute.fullPath })
  const views = (
    <SegmentedControl
      size="xs"
      aria-label={creditPageWords.view}
      data={[
        { value: 'overview', label: creditPageWords.overview },
        { value: 'ledger', label: creditPageWords.ledger },
      ]}
      value={tab ?? 'overview'}
      onChange={value => void navigate({ search: { tab: value === 'ledger' ? 'ledger' : undefined } })}
    />
  )
  return (
    <>
      <Header title={frameWords.places.credits} views={views} />
      <DroppedFilters />
      {tab === 'ledger' ? (
        <Ledger types={type} sort={sort} onChange={next => void navigate({ search: before => ({ ...before, ...next }), replace: true })} />
      ) : (
        <Overview
          days={days}
          onDays={next => void navigate({ search: before => ({ ...before, days: next === '30' ? undefined : next }), replace: true })}
        />
      )}
    </>
  )
}
