// The caller as the server knows it: name, organizations, role in the chosen one.

import { useQuery } from 'urql'
import { MeDocument } from '../generated/documents/session.ts'
import type { MeQuery } from '../generated/operations.ts'
import { useIsAway } from '../live/connectivity.ts'
import { useCaller, useOrganizationId } from './caller.ts'

export interface MeState {
  me: MeQuery['me'] | null
  organization: MeQuery['me']['organizations'][number] | null
  isGuest: boolean
  /** Whether the role lets the caller write. Guests and viewers read. */
  mayWrite: boolean
  /** What writes is disabled: the caller may not, or the server cannot be reached. */
  isOff: boolean
}

export function useMe(): MeState {
  const caller = useCaller()
  const organizationId = useOrganizationId()
  const [{ data }] = useQuery({ query: MeDocument })
  const me = data?.me ?? null
  const organization = me?.organizations.find(({ id }) => id === organizationId) ?? me?.organizations[0] ?? null
  const isGuest = caller.kind === 'guest'
  const mayWrite = !isGuest && organization?.role !== 'VIEWER'
  const isAway = useIsAway()
  return { me, organization, isGuest, mayWrite, isOff: !mayWrite || isAway }
}
