// The suggestion in the middle: the present value, the suggested value, and the source with its evidence.

import { Anchor, Blockquote, Button, Group, Kbd, Stack, Text, Title } from '@mantine/core'
import { IconArrowRight, IconCheck, IconExternalLink, IconX } from '@tabler/icons-react'
import type { Failure } from '../data/failure.ts'
import type { SuggestionCardFragment } from '../generated/operations.ts'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { suggestionWords } from '../language/en/screens/suggestions.ts'
import { percent } from '../language/format.ts'
import { evidenceText } from '../language/reasons.ts'
import { fieldLabel, fieldText, wordOf } from '../language/values.ts'
import { AnchorLink } from '../pieces/links.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Status } from '../pieces/status.tsx'
import { Time } from '../pieces/time.tsx'
import classes from './queue.module.css'
import type { Decision } from './use-decisions.ts'

interface SuggestionCardProps {
  suggestion: SuggestionCardFragment
  /** The refusal of the last decision about this suggestion. */
  failure: Failure | null
  mayDecide: boolean
  isGuest: boolean
  onDecide(decision: Decision): void
}

const tones = { VERIFIED: 'good', PROBABLE: 'information', CATCH_ALL: 'waiting', UNVERIFIED: 'quiet' } as const

export function SuggestionCard({ suggestion, failure, mayDecide, isGuest, onDecide }: SuggestionCardProps) {
  const { field, currentValue, proposedValue, confidence, verification, contact, target } = suggestion
  const before = fieldText(field, currentValue)
  const whose = contact?.fullName ?? contact?.email ?? suggestionWords.of(wordOf(enrichmentWords.target, target.kind), target.hostApp)
  return (
    <article className={classes.card} aria-labelledby="suggestion-title">
      <Stack gap="lg">
        <Stack gap={4}>
          <Text size="sm" c="dimmed" className={classes.anywhere} lineClamp={2}>
            {whose}
          </Text>
          <Title order={2} size="h3" id="suggestion-title" className={classes.anywhere}>
            {fieldLabel(field)}
          </Title>
        </Stack>
        <div className={classes.values}>
          <Text className={classes.before} lineClamp={4}>
            {before === '' ? suggestionWords.empty : before}
          </Text>
          <IconArrowRight aria-label={suggestionWords.becomes} className={classes.arrow} />
          <Text className={classes.after} lineClamp={6}>
            {fieldText(field, proposedValue) || suggestionWords.empty}
          </Text>
        </div>
        <Group gap="lg" className={classes.facts}>
          <Status tone={tones[verification]} label={enrichmentWords.verification[verification]} />
          <Text span inherit>
            {enrichmentWords.sure(percent(confidence))}
          </Text>
          <Text span inherit>
            {wordOf(enrichmentWords.provider, suggestion.provider)}, <Time at={suggestion.observedAt} />
          </Text>
        </Group>
        <Evidence suggestion={suggestion} />
        {failure && <Refusal field={field} failure={failure} contactId={contact?.id} />}
      </Stack>
      <Group gap="xs" className={classes.actions}>
        <Button
          size="sm"
          disabled={!mayDecide}
          leftSection={<IconCheck />}
          rightSection={
            <Kbd size="xs" visibleFrom="sm">
              A
            </Kbd>
          }
          onClick={() => onDecide('ACCEPT')}
        >
          {isGuest ? suggestionWords.signUpToAccept : suggestionWords.accept}
        </Button>
        <Button
          size="sm"
          variant="default"
          disabled={!mayDecide}
          leftSection={<IconX />}
          rightSection={
            <Kbd size="xs" visibleFrom="sm">
              D
            </Kbd>
          }
          onClick={() => onDecide('REJECT')}
        >
          {suggestionWords.decline}
        </Button>
      </Group>
    </article>
  )
}

function Evidence({ suggestion }: { suggestion: SuggestionCardFragment }) {
  const { evidence, sourceUrl, callId, reason } = suggestion
  // Providers are not trusted, so only web addresses become links.
  const link = sourceUrl && /^https?:\/\//i.test(sourceUrl) ? sourceUrl : null
  return (
    <Stack gap="xs">
      {evidence && (
        <Blockquote className={classes.quote} p="sm" radius="sm">
          {evidenceText(evidence)}
        </Blockquote>
      )}
      {reason && (
        <Text size="sm" className={classes.anywhere} lineClamp={4}>
          {reason}
        </Text>
      )}
      {link && (
        <Anchor href={link} target="_blank" rel="noreferrer" size="sm" className={classes.source}>
          <IconExternalLink size={14} /> <span className={classes.cut}>{link.replace(/^https?:\/\//i, '')}</span>
        </Anchor>
      )}
      {callId && (
        <AnchorLink to="/calls/$callId" params={{ callId }} size="sm">
          {suggestionWords.saidInCall}
        </AnchorLink>
      )}
      {!evidence && !reason && !link && !callId && (
        <Text size="sm" c="dimmed">
          {suggestionWords.noEvidence}
        </Text>
      )}
    </Stack>
  )
}

interface RefusalProps {
  field: string
  failure: Failure
  contactId: string | undefined
}

function Refusal({ field, failure, contactId }: RefusalProps) {
  if (failure.code !== 'SUGGESTION_STALE') return <ErrorNotice failure={failure} />
  return (
    <Stack gap={4} role="alert" className={classes.stale}>
      <Text fw={500}>{suggestionWords.stale}</Text>
      <Text size="sm" className={classes.anywhere}>
        {suggestionWords.staleNow(fieldText(field, failure.currentValue))}
      </Text>
      {contactId && (
        <AnchorLink to="/contacts/$contactId" params={{ contactId }} size="sm">
          {suggestionWords.openContact}
        </AnchorLink>
      )}
    </Stack>
  )
}
