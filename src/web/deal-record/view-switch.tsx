// Switches between the table and the board of deals. The filters that both have stay.

import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { dealWords } from '../language/en/deals/deals.ts'
import type { DealSearch } from './filters.tsx'

const { label, table, board } = dealWords.views

export function ViewSwitch({ value, search: { q, pipeline, owner, tag, closes } }: { value: 'table' | 'board'; search: DealSearch }) {
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
      onChange={next => void navigate({ to: next === 'board' ? '/deals/board' : '/deals', search: { q, pipeline, owner, tag, closes } })}
    />
  )
}
