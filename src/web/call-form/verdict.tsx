// The verdict of the call policy as a sentence.

import { Alert } from '@mantine/core'
import { IconBan, IconClock, IconPhoneCheck } from '@tabler/icons-react'
import { isOffline } from '../data/failure.ts'
import { endedReasonWords } from '../language/en/calls.ts'
import { verdictWords } from '../language/en/screens/call-form.ts'
import { wordOf } from '../language/values.ts'
import { timeIn } from '../language/zoned-time.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { amount } from '../pieces/money.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { viewersZone } from '../session/preferences.ts'
import type { Verdict as VerdictOfCall } from './use-verdict.ts'

const soonMs = 60_000

/** `isSimulated`: the simulator plays the call, and no phone rings. */
export function Verdict({ verdict, isSimulated }: { verdict: VerdictOfCall | null; isSimulated: boolean }) {
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
      const isLater = new Date(verdict.at).getTime() > Date.now() + soonMs
      const isHeld = verdict.reason === 'calling_hours'
      const zone = isHeld && verdict.timezone ? verdict.timezone : viewersZone()
      const Icon = isLater ? IconClock : IconPhoneCheck
      return (
        <Alert color={isLater ? 'amber' : 'green'} variant="light" role="status" icon={<Icon />}>
          {verdictWords.dials(isLater ? timeIn(zone, verdict.at) : null, isSimulated)}{' '}
          {isHeld && (
            <>
              {verdictWords.hours}{' '}
              <AnchorLink to="/settings/calls" inherit underline="always">
                {verdictWords.changeHours}
              </AnchorLink>{' '}
            </>
          )}
          {verdict.creditsReserved ? verdictWords.reserved(amount(verdict.creditsReserved)) : ''}
        </Alert>
      )
    }
  }
}

function refusalOf(reason: string): string {
  const { refused, notAllowed } = verdictWords
  return Object.hasOwn(refused, reason) ? refused[reason as keyof typeof refused] : notAllowed(wordOf(endedReasonWords, reason))
}
