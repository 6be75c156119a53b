// The results of the search, best first. Earlier results stay until the next answer arrives.

import { IconAddressBook, IconBuilding, IconNote, IconPhone, IconRobot, IconTargetArrow } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useQuery } from 'urql'
import { noteAnchor } from '../address/note-anchor.ts'
import { type Failure, failureOf } from '../data/failure.ts'
import { PaletteSearchDocument } from '../generated/documents/palette.ts'
import type { PaletteSearchQuery } from '../generated/operations.ts'
import type { SearchType } from '../generated/schema.ts'
import { homeWords } from '../language/en/home.ts'
import { laterWords } from '../language/en/shared/later.ts'
import { recordIn } from '../record/ref.ts'
import { wayToRecord } from '../record/way.ts'
import type { PaletteEntry } from './entry.tsx'

/** Shorter texts match nearly everything. */
export const minLength = 2

const icons = {
  AGENT: IconRobot,
  CALL: IconPhone,
  COMPANY: IconBuilding,
  CONTACT: IconAddressBook,
  DEAL: IconTargetArrow,
  NOTE: IconNote,
} as const satisfies Record<SearchType, unknown>

type Found = PaletteSearchQuery['search']['nodes'][number]

/** With `isCall` only contacts, which are called. */
export function useFound(
  query: string,
  isCall: boolean,
): {
  found: readonly PaletteEntry[]
  isSearching: boolean
  failure: Failure | null
} {
  const navigate = useNavigate()
  const pause = query.length < minLength
  const [{ data, error, fetching }] = useQuery({ query: PaletteSearchDocument, variables: { query }, pause })
  const last = useRef<readonly Found[]>([])
  if (pause) last.current = []
  else if (data) last.current = data.search.nodes
  // Replaces the palette's own history entry.
  const open = {
    AGENT: ({ entityId: agentId }) => void navigate({ to: '/agents/$agentId', params: { agentId }, replace: true }),
    CALL: ({ entityId: callId }) => void navigate({ to: '/calls/$callId', params: { callId }, replace: true }),
    COMPANY: ({ entityId: companyId }) => void navigate({ to: '/companies/$companyId', params: { companyId }, replace: true }),
    DEAL: ({ entityId: dealId }) => void navigate({ to: '/deals/$dealId', params: { dealId }, replace: true }),
    CONTACT: ({ entityId: contactId }) => void navigate({ to: '/contacts/$contactId', params: { contactId }, replace: true }),
    NOTE: ({ entity }) => {
      if (entity.__typename !== 'Note') return
      const record = recordIn(entity)
      if (record) void navigate({ ...wayToRecord(record, noteAnchor(entity.id)), replace: true })
    },
  } satisfies Record<SearchType, (one: Found) => void>
  const found = last.current.map(one => ({
    ...{ id: `${one.type} ${one.entityId}`, label: one.title, kind: homeWords.found[one.type], icon: icons[one.type] },
    ...detailOf(one),
    run: () => open[one.type](one),
  }))
  const called = last.current.flatMap(one => {
    const { type, entityId: contactId, title } = one
    const run = () => void navigate({ to: '/contacts/$contactId', params: { contactId }, search: { call: true }, replace: true })
    return type === 'CONTACT'
      ? [{ id: `call ${contactId}`, label: laterWords.verbs.call(title), icon: IconPhone, run, ...detailOf(one) }]
      : []
  })
  return { found: isCall ? called : found, isSearching: fetching, failure: error && !pause ? failureOf(error) : null }
}

/** The snippet without the title, which stands above it. */
function detailOf({ title, snippet: { text } }: Found): { detail?: string } {
  const detail = text.startsWith(title) ? text.slice(title.length).replace(/^ · /, '') : text
  return detail === '' ? {} : { detail }
}
