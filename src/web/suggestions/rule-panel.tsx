// Decides many suggestions by a rule: first a preview, then the decision.

import { Button, Checkbox, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useMutationWithProblems } from '../data/use-write.ts'
import { Panel } from '../frame/panel.tsx'
import {
  DecideSuggestionsDocument,
  PendingSuggestionsByFieldDocument,
  PendingSuggestionsByProviderDocument,
} from '../generated/documents/suggestions.ts'
import type { DecideSuggestionsMutation } from '../generated/operations.ts'
import { announce } from '../keyboard/announce.tsx'
import { enrichmentWords } from '../language/en/enrichment.ts'
import { suggestionWords } from '../language/en/screens/suggestions.ts'
import { nounWords } from '../language/en/values.ts'
import { countText, percent } from '../language/format.ts'
import { fieldLabel, wordOf } from '../language/values.ts'
import { useIsAway } from '../live/connectivity.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { RulePreview } from './rule-preview.tsx'
import type { Decision } from './use-decisions.ts'

interface RulePanelProps {
  isOpen: boolean
  onClose(): void
  onDecided(): void
}

export function RulePanel({ isOpen, onClose, onDecided }: RulePanelProps) {
  return (
    <Panel isOpen={isOpen} onClose={onClose} title={suggestionWords.rule.title} isForm>
      <Rule onDecided={onDecided} />
    </Panel>
  )
}

type Decided = DecideSuggestionsMutation['decideSuggestions']

function Rule({ onDecided }: { onDecided(): void }) {
  const [decision, setDecision] = useState<Decision>('ACCEPT')
  const [field, setField] = useState<string | null>(null)
  const [provider, setProvider] = useState<string | null>(null)
  const [sure, setSure] = useState('90')
  const [onlyEmpty, setOnlyEmpty] = useState(true)
  const [preview, setPreview] = useState<Decided | null>(null)
  const [done, setDone] = useState<{ succeeded: number; failed: number } | null>(null)
  const { run, isRunning, failure } = useMutationWithProblems(DecideSuggestionsDocument)
  const isAway = useIsAway()
  const fields = useQuery({ query: PendingSuggestionsByFieldDocument })[0].data?.groupSuggestions.groups
  const providers = useQuery({ query: PendingSuggestionsByProviderDocument })[0].data?.groupSuggestions.groups

  const rule = { field, provider, minConfidence: Number(sure) / 100, onlyEmpty: onlyEmpty || null }
  // A changed rule needs a new preview.
  const withoutPreview =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      setPreview(null)
      setDone(null)
    }
  const look = async () => {
    setDone(null)
    const { data } = await run({ input: { decision, rule }, dryRun: true })
    if (data) setPreview(data.decideSuggestions)
  }
  const decide = async () => {
    const sum = { succeeded: 0, failed: 0 }
    let after: string | undefined
    for (;;) {
      const { data } = await run({ input: { decision, rule, after } })
      if (!data) break
      const { succeeded, failed, hasMore, results } = data.decideSuggestions
      sum.succeeded += succeeded
      sum.failed += failed
      setDone({ ...sum })
      after = results.at(-1)?.suggestionId
      if (!hasMore || after === undefined) break
    }
    setPreview(null)
    announce(suggestionWords.rule.heard(sum.succeeded, sum.failed))
    onDecided()
  }
  const isAccepting = decision === 'ACCEPT'
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={suggestionWords.rule.decision}
        data={[
          { value: 'ACCEPT', label: suggestionWords.accept },
          { value: 'REJECT', label: suggestionWords.decline },
        ]}
        value={decision}
        onChange={value => withoutPreview(setDecision)(value === 'REJECT' ? 'REJECT' : 'ACCEPT')}
      />
      <Select
        label={suggestionWords.field}
        placeholder={suggestionWords.anyField}
        clearable
        data={options(fields, fieldLabel)}
        value={field}
        onChange={withoutPreview(setField)}
      />
      <Select
        label={suggestionWords.rule.provider}
        placeholder={suggestionWords.rule.anyProvider}
        clearable
        data={options(providers, key => wordOf(enrichmentWords.provider, key))}
        value={provider}
        onChange={withoutPreview(setProvider)}
      />
      <Select
        label={suggestionWords.rule.atLeast}
        allowDeselect={false}
        data={['99', '95', '90', '80', '70', '50', '0'].map(value => ({
          value,
          label: value === '0' ? suggestionWords.anyCertainty : percent(Number(value) / 100),
        }))}
        value={sure}
        onChange={value => withoutPreview(setSure)(value ?? '90')}
      />
      <Checkbox
        label={suggestionWords.rule.onlyEmpty}
        checked={onlyEmpty}
        onChange={event => withoutPreview(setOnlyEmpty)(event.currentTarget.checked)}
      />
      {failure && <ErrorNotice failure={failure} />}
      {preview && <RulePreview preview={preview} decision={decision} />}
      {done && (
        <Text role="status">{suggestionWords.rule.done(isAccepting, countText(done.succeeded, nounWords.suggestion), done.failed)}</Text>
      )}
      <Group gap="xs">
        {preview && preview.succeeded > 0 ? (
          <Button loading={isRunning} disabled={isAway} onClick={() => void decide()}>
            {preview.hasMore
              ? suggestionWords.rule.all(isAccepting)
              : suggestionWords.rule.some(isAccepting, countText(preview.succeeded, nounWords.suggestion))}
          </Button>
        ) : (
          <Button variant="default" loading={isRunning} disabled={isAway} onClick={() => void look()}>
            {suggestionWords.rule.preview}
          </Button>
        )}
        <Text size="xs" c="dimmed">
          {preview ? suggestionWords.rule.final : suggestionWords.rule.harmless}
        </Text>
      </Group>
    </Stack>
  )
}

interface PendingGroup {
  keys: readonly (string | null)[]
  count: number
}

const options = (groups: readonly PendingGroup[] = [], label: (key: string) => string) =>
  groups.flatMap(({ keys: [key], count }) => (key ? [{ value: key, label: `${label(key)} (${count})` }] : []))
