// The caller on the server: name, organizations, and role in the chosen organization.

import { useQuery } from 'urql'
import { MeDocument } from '../generated/documents/session.ts'
import type { MeQuery } from '../generated/operations.ts'
import { useIsAway } from '../live/connectivity.ts'
import { useCaller, useOrganizationId } from './caller.ts'

export interface MeState {
  me: MeQuery['me'] | null
  organization: MeQuery['me']['organizations'][number] | null
  isGuest: boolean
  /** Whether the role may write. Guests and viewers only read. */
  mayWrite: boolean
  /** Whether buttons that write are disabled: the caller may not write, or the server cannot be reached. */
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
