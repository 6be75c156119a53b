// A trial call: the simulator plays a call with the agent's instructions, whatever its provider is. No phone rings.

import { Box, Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { answeredNumber, useTrial } from '../call-form/use-trial.ts'
import type { VoiceAgentRowFragment } from '../generated/operations.ts'
import { callWords } from '../language/en/calls.ts'
import { agentPageWords } from '../language/en/screens/agents.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { Part } from '../pieces/part.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { useMe } from '../session/use-me.ts'

// The number tells the simulator how the call goes. No country has the code 999.
const courses = [
  { value: answeredNumber, label: agentPageWords.courses.answered },
  { value: '+9990000002', label: agentPageWords.courses.noAnswer },
  { value: '+9990000001', label: agentPageWords.courses.busy },
  { value: '+9990000003', label: agentPageWords.courses.machine },
  { value: '+9990000011', label: agentPageWords.courses.callback },
  { value: '+9990000014', label: agentPageWords.courses.person },
]

export function TrialCall({ agent: { id, status } }: { agent: VoiceAgentRowFragment }) {
  const [toNumber, setNumber] = useState(answeredNumber)
  const { isOff } = useMe()
  const { start, isRunning, failure } = useTrial()
  const isActive = status === 'ACTIVE'
  return (
    <Part title={callWords.hearIt} sentence={isActive ? callWords.hearSentence : callWords.hearInactive}>
      <Group gap="xs" wrap="nowrap">
        <Select
          size="xs"
          flex={1}
          aria-label={agentPageWords.courses.title}
          data={courses}
          value={toNumber}
          onChange={value => value && setNumber(value)}
          allowDeselect={false}
        />
        <Button variant="default" disabled={!isActive || isOff} loading={isRunning} onClick={() => void start(id, toNumber)}>
          {callWords.startTrial}
        </Button>
      </Group>
      <Text size="sm" mt="xs" c="dimmed">
        {callWords.trialLeaves}{' '}
        <AnchorLink to="/calls" search={{ agent: id, trials: true }} underline="always" inherit>
          {callWords.earlierTrials}
        </AnchorLink>
      </Text>
      {failure && (
        <Box mt="xs">
          <ErrorNotice failure={failure} />
        </Box>
      )}
    </Part>
  )
}
