// The result of a conversation that is over.

import { Box, Text } from '@mantine/core'
import { Outcome } from '../../calls/call-status.tsx'
import { foundIn } from '../../extracted/found.ts'
import type { TalkFragment, VoiceAgentSetupFragment } from '../../generated/operations.ts'
import { talkWords } from '../../language/en/screens/talk.ts'
import { countText } from '../../language/format.ts'
import { amount } from '../../pieces/money.tsx'
import classes from './talk.module.css'

export function TalkResult({ talk, agent }: { talk: TalkFragment; agent: VoiceAgentSetupFragment }) {
  const { outcome, summary, extracted, inputTokens, outputTokens, creditsCharged } = talk
  const found = foundIn(extracted, agent.extraction)
  const tokens = inputTokens + outputTokens
  const cost = [tokens > 0 && countText(tokens, talkWords.token), creditsCharged > 0 && talkWords.cost(amount(creditsCharged))]
  return (
    <Box component="section" aria-label={talkWords.result} mt="xs">
      {outcome && (
        <Text size="sm" component="div">
          <Outcome outcome={outcome} />
        </Text>
      )}
      {summary && (
        <Text size="sm" mt={4} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {summary}
        </Text>
      )}
      {found.length === 0 ? (
        <Text size="sm" c="dimmed" mt={4}>
          {talkWords.nothing}
        </Text>
      ) : (
        <dl className={classes.found}>
          {found.map(({ name, label, text }) => (
            <div key={name}>
              <Text size="sm" c="dimmed" component="dt">
                {label}
              </Text>
              <Text size="sm" component="dd" dir="auto">
                {text}
              </Text>
            </div>
          ))}
        </dl>
      )}
      {cost.some(Boolean) && (
        <Text size="xs" c="dimmed" mt={4}>
          {cost.filter(Boolean).join(' · ')}
        </Text>
      )}
    </Box>
  )
}
