// The verdict of the call policy as a sentence.

import { Alert } from '@mantine/core'
import { IconBan, IconClock, IconPhoneCheck } from '@tabler/icons-react'
import { isOffline } from '../data/failure.ts'
import { endedReasonWords } from '../language/en/calls.ts'
import { wordOf } from '../language/values.ts'
import { amount } from '../pieces/money.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { exact } from '../pieces/time.tsx'
import type { Verdict as VerdictOfCall } from './use-verdict.ts'

const refusals: Record<string, string> = {
  do_not_call: 'This contact must not be called.',
  denied_number: 'This number is on your deny list.',
  calling_hours: 'There are no calling hours in the time that you allow.',
  expired: 'The time for this call is over.',
}

export function Verdict({ verdict }: { verdict: VerdictOfCall | null }) {
  if (verdict === null) return null
  switch (verdict.kind) {
    case 'checking':
      return (
        <Alert color="gray" variant="light" role="status" icon={<IconClock />}>
          Asking the call policy
        </Alert>
      )
    case 'refused':
      return (
        <Alert color="red" variant="light" role="status" icon={<IconBan />}>
          {refusals[verdict.reason ?? ''] ?? `This call is not allowed: ${wordOf(endedReasonWords, verdict.reason ?? 'failed')}.`} No phone
          will ring, and the call is listed as blocked.
        </Alert>
      )
    case 'failed': {
      const [problem] = verdict.failure.problems
      if (isOffline(verdict.failure)) return null
      return <ErrorNotice failure={problem ? { ...verdict.failure, message: problem.message } : verdict.failure} />
    }
    case 'allowed': {
      const isLater = new Date(verdict.at).getTime() > Date.now() + 60_000
      const when = isLater ? `The phone rings on ${exact(verdict.at)}` : 'The phone rings at once'
      const why = verdict.reason === 'calling_hours' ? ', when calling hours begin' : ''
      const cost = verdict.creditsReserved ? ` ${amount(verdict.creditsReserved)} are reserved until the call is over.` : ''
      const Icon = isLater ? IconClock : IconPhoneCheck
      return (
        <Alert color={isLater ? 'amber' : 'green'} variant="light" role="status" icon={<Icon />}>
          {when}
          {why}.{cost}
        </Alert>
      )
    }
  }
}
