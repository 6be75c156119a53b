// A trial call: the simulator plays a call with the agent's instructions, whatever its provider is. No phone rings.

import { Box, Button, Group, Select, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { TrialCallDocument } from '../generated/documents/agents.ts'
import type { VoiceAgentRowFragment } from '../generated/operations.ts'
import { callWords } from '../language/en/calls.ts'
import { agentPageWords } from '../language/en/screens/agents.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { Part } from '../pieces/part.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { useMe } from '../session/use-me.ts'

// The number tells the simulator how the call goes. No country has the code 999.
const courses = [
  { value: '+9990000100', label: agentPageWords.courses.answered },
  { value: '+9990000002', label: agentPageWords.courses.noAnswer },
  { value: '+9990000001', label: agentPageWords.courses.busy },
  { value: '+9990000003', label: agentPageWords.courses.machine },
  { value: '+9990000011', label: agentPageWords.courses.callback },
  { value: '+9990000014', label: agentPageWords.courses.person },
]

export function TrialCall({ agent: { id, status } }: { agent: VoiceAgentRowFragment }) {
  const [toNumber, setNumber] = useState('+9990000100')
  const navigate = useNavigate()
  const { isOff } = useMe()
  const { run, isRunning, failure } = useMutationWithProblems(TrialCallDocument)
  const isActive = status === 'ACTIVE'
  const place = async () => {
    const { data } = await run({ input: { voiceAgentId: id, toNumber, isTrial: true, record: false } })
    if (data) await navigate({ to: '/calls/$callId', params: { callId: data.createCall.id } })
  }
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
        <Button variant="default" disabled={!isActive || isOff} loading={isRunning} onClick={() => void place()}>
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
