// A notice above the list of calls: calls are due, and no worker dials them. It is read every half minute, because a missing worker sends no
// change.

import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useQuery } from 'urql'
import { WaitingWorkDocument } from '../generated/documents/calls.ts'
import { callPageWords } from '../language/en/screens/calls.ts'
import { useIsAway } from '../live/connectivity.ts'
import { Time } from '../pieces/time.tsx'

const readAgainMs = 30_000
// A restarted worker is back sooner.
const patienceMs = 60_000

export function WaitingNotice() {
  const [{ data }, read] = useQuery({ query: WaitingWorkDocument, requestPolicy: 'cache-and-network' })
  const isAway = useIsAway()
  useEffect(() => {
    if (isAway) return
    const timer = setInterval(() => document.visibilityState === 'visible' && read({ requestPolicy: 'network-only' }), readAgainMs)
    return () => clearInterval(timer)
  }, [isAway, read])
  const { isWorkerAlive = true, callsDueSince = null } = data?.waitingWork ?? {}
  if (isAway || isWorkerAlive || !callsDueSince || Date.now() - Date.parse(callsDueSince) < patienceMs) return null
  return (
    <Alert color="amber" icon={<IconAlertTriangle />} role="status" radius={0}>
      <Text size="sm">
        {callPageWords.delayed} <Time at={callsDueSince} />. {callPageWords.delayedUntil}
      </Text>
    </Alert>
  )
}
