// Chooses the first organization of a user who has just signed in. It stays until the user chooses another one.

import { Center, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type Failure, failureOfUnknown } from '../data/failure.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { LateSkeleton } from '../pieces/states/late-skeleton.tsx'
import { chooseOrganization } from './caller.ts'
import { FirstOrganization } from './first-organization.tsx'
import { organizationsOfCaller } from './organizations.ts'

export default function ChooseOrganization() {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [hasNone, setHasNone] = useState(false)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` sends the request again.
  useEffect(() => {
    let isGone = false
    setFailure(null)
    organizationsOfCaller().then(
      ([first]) => {
        if (isGone) return
        if (first) chooseOrganization(first.id)
        else setHasNone(true)
      },
      error => !isGone && setFailure(failureOfUnknown(error)),
    )
    return () => {
      isGone = true
    }
  }, [attempt])
  return (
    <Center mih="100dvh" p="md">
      <Stack w={360}>
        {failure && <ErrorNotice failure={failure} onRetry={() => setAttempt(attempt + 1)} />}
        {hasNone && <FirstOrganization />}
        {!failure && !hasNone && <LateSkeleton height={36} count={3} />}
      </Stack>
    </Center>
  )
}
