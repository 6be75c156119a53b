// The verdict of the call policy as a sentence.

import { Alert } from '@mantine/core'
import { IconBan, IconClock, IconPhoneCheck } from '@tabler/icons-react'
import { isOffline } from '../data/failure.ts'
import { endedReasonWords } from '../language/en/calls.ts'
import { verdictWords } from '../language/en/screens/call-verdict.ts'
import { wordOf } from '../language/values.ts'
import { amount } from '../pieces/money.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { exact } from '../pieces/time.tsx'
import type { Verdict as VerdictOfCall } from './use-verdict.ts'

export function Verdict({ verdict }: { verdict: VerdictOfCall | null }) {
  if (verdict === null) return null
  switch (verdict.kind) {
    case 'checking':
      return (
        <Alert color="gray" variant="light" role="status" icon={<IconClock />}>
          {verdictWords.checking}
        </Alert>
      )
    case 'refused':
      return (
        <Alert color="red" variant="light" role="status" icon={<IconBan />}>
          {refusalOf(verdict.reason ?? 'failed')} {verdictWords.noRing}
        </Alert>
      )
    case 'failed': {
      const [problem] = verdict.failure.problems
      if (isOffline(verdict.failure)) return null
      return <ErrorNotice failure={problem ? { ...verdict.failure, message: problem.message } : verdict.failure} />
    }
    case 'allowed': {
      const isLater = new Date(verdict.at).getTime() > Date.now() + 60_000
      const rings = verdictWords.rings(isLater ? exact(verdict.at) : null, verdict.reason === 'calling_hours')
      const Icon = isLater ? IconClock : IconPhoneCheck
      return (
        <Alert color={isLater ? 'amber' : 'green'} variant="light" role="status" icon={<Icon />}>
          {rings} {verdict.creditsReserved ? verdictWords.reserved(amount(verdict.creditsReserved)) : ''}
        </Alert>
      )
    }
  }
}

function refusalOf(reason: string): string {
  const { refused, notAllowed } = verdictWords
  return Object.hasOwn(refused, reason) ? refused[reason as keyof typeof refused] : notAllowed(wordOf(endedReasonWords, reason))
}
