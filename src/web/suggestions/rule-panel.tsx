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
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { fieldLabel } from '../language/values.ts'
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
    <Panel isOpen={isOpen} onClose={onClose} title="Decide by rule" isForm>
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
    announce(`${sum.succeeded} decided, ${sum.failed} could not be decided`)
    onDecided()
  }
  const verb = decision === 'ACCEPT' ? 'Accept' : 'Decline'
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Decision"
        data={[
          { value: 'ACCEPT', label: 'Accept' },
          { value: 'REJECT', label: 'Decline' },
        ]}
        value={decision}
        onChange={value => withoutPreview(setDecision)(value === 'REJECT' ? 'REJECT' : 'ACCEPT')}
      />
      <Select
        label="Field"
        placeholder="Any field"
        clearable
        data={options(fields, fieldLabel)}
        value={field}
        onChange={withoutPreview(setField)}
      />
      <Select
        label="Provider"
        placeholder="Any provider"
        clearable
        data={options(providers)}
        value={provider}
        onChange={withoutPreview(setProvider)}
      />
      <Select
        label="Certainty, at least"
        allowDeselect={false}
        data={['99', '95', '90', '80', '70', '50', '0'].map(value => ({ value, label: value === '0' ? 'Any certainty' : `${value} %` }))}
        value={sure}
        onChange={value => withoutPreview(setSure)(value ?? '90')}
      />
      <Checkbox
        label="Only where the contact has no value yet"
        checked={onlyEmpty}
        onChange={event => withoutPreview(setOnlyEmpty)(event.currentTarget.checked)}
      />
      {failure && <ErrorNotice failure={failure} />}
      {preview && <RulePreview preview={preview} decision={decision} />}
      {done && (
        <Text role="status">
          {countText(done.succeeded, nounWords.suggestion)} {decision === 'ACCEPT' ? 'accepted' : 'declined'}
          {done.failed > 0 && `, ${done.failed} left as they were`}.
        </Text>
      )}
      <Group gap="xs">
        {preview && preview.succeeded > 0 ? (
          <Button loading={isRunning} disabled={isAway} onClick={() => void decide()}>
            {preview.hasMore ? `${verb} all that match` : `${verb} ${countText(preview.succeeded, nounWords.suggestion)}`}
          </Button>
        ) : (
          <Button variant="default" loading={isRunning} disabled={isAway} onClick={() => void look()}>
            Preview
          </Button>
        )}
        <Text size="xs" c="dimmed">
          {preview ? 'This cannot be undone.' : 'A preview changes nothing.'}
        </Text>
      </Group>
    </Stack>
  )
}

interface PendingGroup {
  keys: readonly (string | null)[]
  count: number
}

const options = (groups: readonly PendingGroup[] = [], label = (key: string) => key) =>
  groups.flatMap(({ keys: [key], count }) => (key ? [{ value: key, label: `${label(key)} (${count})` }] : []))
