// Why a call is not dialled yet: until when it waits, in which time zone, and where calling hours are set.

import { Alert, Text } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { verdictWords, waitWords } from '../../language/en/screens/call-form.ts'
import { timeIn } from '../../language/zoned-time.ts'
import { AnchorLink } from '../../pieces/links.tsx'
import { viewersZone } from '../../session/preferences.ts'
import type { ShownCall } from './shown.ts'

export function Held({ call: { dispatchState, wait, provider, voiceAgent } }: { call: ShownCall }) {
  if (dispatchState !== 'SCHEDULED' || !wait) return null
  const isForHours = wait.reason === 'CALLING_HOURS'
  return (
    <Alert color="amber" variant="light" radius={0} role="status" icon={<IconClock />}>
      <Text size="sm">
        {sentenceOf(wait)}{' '}
        {isForHours && (
          <AnchorLink to="/settings/calls" inherit underline="always">
            {verdictWords.changeHours}
          </AnchorLink>
        )}
      </Text>
      {isForHours && provider === 'SIMULATOR' && voiceAgent && (
        <Text size="sm">
          {waitWords.trial}{' '}
          <AnchorLink to="/agents/$agentId" params={{ agentId: voiceAgent.id }} inherit underline="always">
            {waitWords.toAgent}
          </AnchorLink>
        </Text>
      )}
    </Alert>
  )
}

function sentenceOf({ until, reason, timezone }: NonNullable<ShownCall['wait']>): string {
  if (new Date(until).getTime() <= Date.now()) return waitWords.line
  return reason === 'CALLING_HOURS' ? waitWords.hours(timeIn(timezone, until)) : waitWords.schedule(timeIn(viewersZone(), until))
}
