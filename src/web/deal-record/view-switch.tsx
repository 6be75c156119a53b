// Switches between the table and the board of deals. The filters that both have stay.

import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { dealWords } from '../language/en/deals/deals.ts'
import type { DealSearch } from './filters.tsx'

const { label, table, board } = dealWords.views

interface ViewSwitchProps {
  value: 'table' | 'board'
  search: DealSearch
  /** The saved view in the address. */
  view: string | undefined
}

export function ViewSwitch({ value, search: { deleted: _, ...search }, view }: ViewSwitchProps) {
  const navigate = useNavigate()
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={value}
      data={[
        { value: 'table', label: table },
        { value: 'board', label: board },
      ]}
      onChange={next => void navigate({ to: next === 'board' ? '/deals/board' : '/deals', search: { ...search, view } })}
    />
  )
}
