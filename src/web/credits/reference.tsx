// The purpose of a ledger entry. `call:<id>`, `job:<id>` and `run:<id>` become links; anything else is a text by a person.

import { Text } from '@mantine/core'
import { creditPageWords } from '../language/en/screens/credits.ts'
import { AnchorLink } from '../pieces/links.tsx'

interface Reference {
  kind: 'call' | 'job' | 'run' | 'text'
  id: string
}

export function referenceOf(reference: string | null): Reference {
  const [, prefix, id] = /^(call|job|enrichment|enrichment_job|run):([\da-f-]{36})$/i.exec(reference ?? '') ?? []
  if (!prefix || !id) return { kind: 'text', id: reference ?? '' }
  return { kind: prefix === 'call' || prefix === 'run' ? prefix : 'job', id }
}

export function ReferenceLink({ reference }: { reference: string | null }) {
  const { kind, id } = referenceOf(reference)
  if (kind === 'job')
    return (
      <AnchorLink to="/jobs" search={{ open: id }} inherit>
        {creditPageWords.references.job}
      </AnchorLink>
    )
  if (kind === 'call')
    return (
      <AnchorLink to="/calls/$callId" params={{ callId: id }} inherit>
        {creditPageWords.references.call}
      </AnchorLink>
    )
  if (kind === 'run')
    return (
      <AnchorLink to="/gateway" search={{ tab: 'runs', run: id }} inherit>
        {creditPageWords.references.run}
      </AnchorLink>
    )
  return (
    <Text span inherit truncate>
      {id}
    </Text>
  )
}
