// Duplicates: a tab for contacts and one for companies.

import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { frameWords } from '../language/en/frame.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import { companyMerges } from './companies.ts'
import { contactMerges } from './contacts.ts'
import { Queue } from './queue.tsx'
import { duplicatesRoute } from './route.tsx'

export function DuplicatesScreen() {
  const { of = 'contacts' } = duplicatesRoute.useSearch()
  const navigate = useNavigate({ from: duplicatesRoute.fullPath })
  const nouns = (
    <SegmentedControl
      size="xs"
      aria-label={duplicateWords.nouns}
      value={of}
      data={[
        { value: 'contacts', label: frameWords.places.contacts },
        { value: 'companies', label: frameWords.places.companies },
      ]}
      onChange={next => void navigate({ search: { of: next === 'companies' ? next : undefined }, replace: true })}
    />
  )
  // Each noun has a queue of its own.
  return of === 'companies' ? <Queue key={of} kind={companyMerges} nouns={nouns} /> : <Queue key={of} kind={contactMerges} nouns={nouns} />
}
