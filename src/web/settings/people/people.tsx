// Offers of ownership, members with their roles, and invitations.

import { useQuery } from 'urql'
import { MeDocument } from '../../generated/documents/session.ts'
import { memberWords } from '../../language/en/settings/members.ts'
import { ForAccounts } from '../../session/for-accounts.tsx'
import { useMe } from '../../session/use-me.ts'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { OfferOfOwnership } from './ownership.tsx'

export function People() {
  const { me, isGuest, organization } = useMe()
  // An answer can change the person's role, which is shown everywhere, so `me` is read again.
  const [, rereadMe] = useQuery({ query: MeDocument, pause: true })
  if (isGuest) return <ForAccounts what={memberWords.members} />
  if (!organization) return null
  const mayInvite = organization.role === 'OWNER' || organization.role === 'ADMIN'
  return (
    <>
      {me?.ownershipOffers.map(offer => (
        <OfferOfOwnership key={offer.id} offer={offer} onAnswered={() => rereadMe({ requestPolicy: 'network-only' })} />
      ))}
      <Members own={organization.role} />
      {mayInvite && <Invitations own={organization.role} />}
    </>
  )
}
