// A suggestion at its field: the value, the reason, and buttons to accept or decline.

import { Box, Button, Group, Text } from '@mantine/core'
import { IconArrowRight, IconSparkles } from '@tabler/icons-react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { AcceptContactSuggestionDocument, RejectContactSuggestionDocument } from '../generated/documents/contact-record.ts'
import { announce } from '../keyboard/announce.tsx'
import { recordWords } from '../language/en/contact/record.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { percent } from '../language/format.ts'
import { evidenceText } from '../language/reasons.ts'
import { fieldText } from '../language/values.ts'

import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { WebLink } from './fields/web-link.tsx'
import classes from './record.module.css'
import type { WaitingSuggestion } from './use-record.ts'

const words = recordWords.suggestion

interface SuggestionOfferProps {
  suggestion: WaitingSuggestion
  label: string
  mayWrite: boolean
}

export function SuggestionOffer({ suggestion, label, mayWrite }: SuggestionOfferProps) {
  const { id, field, currentValue, proposedValue, evidence, sourceUrl, confidence } = suggestion
  const accept = useMutationWithProblems(AcceptContactSuggestionDocument)
  const reject = useMutationWithProblems(RejectContactSuggestionDocument)
  const isRunning = accept.isRunning || reject.isRunning
  const decide = async (write: typeof accept | typeof reject, done: string, refused: string) => {
    const { failure } = await write.run({ input: { id } })
    if (!failure) return announce(done)
    const stands =
      failure.code === 'SUGGESTION_STALE' ? words.stale(fieldText(field, failure.currentValue), fieldText(field, proposedValue)) : ''
    tellRefusal(refused, { ...failure, message: failure.message + stands })
  }
  return (
    <Box className={classes.suggestion} role="group" aria-label={words.of(label)}>
      <Group gap={6} wrap="nowrap" align="start">
        <IconSparkles size={14} style={{ flex: 'none', marginTop: 3 }} aria-hidden />
        <Text size="sm" className={classes.text}>
          {fieldText(field, currentValue) !== '' && (
            <>
              <Text span inherit c="dimmed" td="line-through">
                {fieldText(field, currentValue)}
              </Text>{' '}
              <IconArrowRight size={12} aria-label={words.becomes} />{' '}
            </>
          )}
          <Text span inherit fw={500}>
            {fieldText(field, proposedValue)}
          </Text>
          <Text span size="xs" c="dimmed" ml={6} style={{ whiteSpace: 'nowrap' }}>
            {enrichmentWords.sure(percent(confidence))}
          </Text>
        </Text>
      </Group>
      {(evidence || sourceUrl) && (
        <Text size="xs" c="dimmed" lineClamp={3} mt={2}>
          {evidence && evidenceText(evidence)} {sourceUrl && <WebLink address={sourceUrl} />}
        </Text>
      )}
      <Group gap={6} mt={6}>
        <Button
          variant="light"
          disabled={!mayWrite || isRunning}
          onClick={() => void decide(accept, words.accepted(label), words.notAccepted(label))}
        >
          {words.accept}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          disabled={!mayWrite || isRunning}
          onClick={() => void decide(reject, words.declined(label), words.notDeclined(label))}
        >
          {words.decline}
        </Button>
      </Group>
    </Box>
  )
}
