// The result of a call: its outcome and summary, and the values that the agent found out, in the agent's order and with its names.

import { Text } from '@mantine/core'
import { foundIn } from '../../extracted/found.ts'
import { callPageWords } from '../../language/en/screens/calls.ts'
import { Part } from '../../pieces/part.tsx'
import { isOver, Outcome } from '../call-status.tsx'
import { Fact } from './fact.tsx'
import type { ShownCall } from './shown.ts'

const words = callPageWords.facts

export function CallResult({ call }: { call: ShownCall }) {
  const found = foundIn(call.extracted, call.voiceAgent?.extraction ?? {})
  return (
    <>
      {(call.outcome || call.summary) && (
        <Part title={words.result}>
          {call.outcome && (
            <Text size="sm" component="div">
              <Outcome outcome={call.outcome} />
            </Text>
          )}
          {call.summary && (
            <Text size="sm" mt={4} dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {call.summary}
            </Text>
          )}
        </Part>
      )}
      <Part title={words.extracted}>
        {found.length === 0 ? (
          <Text size="sm" c="dimmed">
            {isOver(call.status) ? words.nothingExtracted : words.extractedLater}
          </Text>
        ) : (
          <dl>
            {found.map(({ name, label, text }) => (
              <Fact key={name} label={label}>
                {text}
              </Fact>
            ))}
          </dl>
        )}
      </Part>
    </>
  )
}
