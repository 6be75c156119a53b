// Members with their roles, and the invitations of those who are not yet members.

import { useMe } from '../../session/use-me.ts'
import { ForAccounts } from '../guests.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'

export function People() {
  const { isGuest, organization } = useMe()
  if (isGuest) return <ForAccounts what="Members" />
  if (!organization) return null
  const mayInvite = organization.role === 'OWNER' || organization.role === 'ADMIN'
  return (
    <>
      <Members own={organization.role} />
      {mayInvite && <Invitations own={organization.role} />}
    </>
  )
}
