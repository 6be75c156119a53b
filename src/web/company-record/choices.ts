// The organization's companies as choices.

import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useRef } from 'react'
import { useQuery } from 'urql'
import type { Option } from '../contact-record/fields/fields.ts'
import { CompaniesToChooseDocument } from '../generated/documents/company-record.ts'
import { byLabel } from '../language/order.ts'

// Waits for a pause in the typing.
const typingMs = 150

/** Companies whose name or domain has the typed words, and the chosen one. Earlier ones stay until the next answer arrives. */
export function useCompanyOptions(typed: string, chosen: Option | null): readonly Option[] {
  const [q] = useDebouncedValue(typed.trim(), typingMs)
  const [{ data }] = useQuery({ query: CompaniesToChooseDocument, variables: { q: q || null } })
  const last = useRef<readonly Option[]>([])
  const found = useMemo(() => data?.companies.nodes.map(({ id, name }) => ({ value: id, label: name })).toSorted(byLabel), [data])
  if (found) last.current = found
  const options = last.current
  return useMemo(() => (chosen && !options.some(({ value }) => value === chosen.value) ? [chosen, ...options] : options), [options, chosen])
}
