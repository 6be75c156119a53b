// Offers of ownership to the person: the consequences of each, with or without payment, and the answer.

import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { AcceptOwnershipDocument, DeclineOwnershipDocument } from '../../generated/documents/settings.ts'
import type { MeQuery } from '../../generated/operations.ts'
import { announce } from '../../keyboard/announce.tsx'
import { memberWords } from '../../language/en/settings/members.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import { exact } from '../../pieces/time.tsx'

type Offer = MeQuery['me']['ownershipOffers'][number]

export function OfferOfOwnership({ offer, onAnswered }: { offer: Offer; onAnswered(): void }) {
  const { id, isTransfer, organization, offeredBy, expiresAt } = offer
  const isAway = useIsAway()
  const [pays, setPays] = useState(false)
  const acceptance = useMutationWithProblems(AcceptOwnershipDocument)
  const refusal = useMutationWithProblems(DeclineOwnershipDocument)
  const name = organization?.name ?? memberWords.anOrganization
  const accept = () =>
    void acceptance.run({ input: { id, pays } }).then(({ failure }) => {
      if (failure) return
      announce(memberWords.youOwn(name))
      onAnswered()
    })
  const decline = () => void refusal.run({ input: { id } }).then(({ failure }) => failure ?? onAnswered())
  const failure = acceptance.failure ?? refusal.failure
  return (
    <Alert variant="light" color="amber" title={memberWords.offers(offeredBy?.name ?? offeredBy?.email ?? memberWords.anOwner, name)}>
      <Stack gap="sm">
        <Text size="sm">
          {memberWords.owners} {isTransfer && `${memberWords.becomesAdmin} `}
          {memberWords.offerEnds(exact(expiresAt))}
        </Text>
        <Checkbox
          label={memberWords.payForIt}
          description={memberWords.payForItHelp}
          checked={pays}
          onChange={event => setPays(event.currentTarget.checked)}
        />
        {failure && <ErrorNotice failure={failure} />}
        <Group gap="xs">
          <Button disabled={isAway} loading={acceptance.isRunning} onClick={accept}>
            {memberWords.become}
          </Button>
          <Button variant="default" disabled={isAway} loading={refusal.isRunning} onClick={decline}>
            {memberWords.decline}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
