// The filters of the queue, and its progress.

import { Progress, Select, Text } from '@mantine/core'
import { useQuery } from 'urql'
import { Toolbar } from '../frame/header.tsx'
import { PendingSuggestionsByFieldDocument } from '../generated/documents/suggestions.ts'
import { suggestionWords } from '../language/en/screens/suggestions.ts'
import { numberText, percent } from '../language/format.ts'
import { fieldLabel } from '../language/values.ts'
import classes from './queue.module.css'

type Sure = '50' | '70' | '80' | '90'

interface FiltersProps {
  field: string | undefined
  sure: Sure | undefined
  total: number | null | undefined
  /** The number of decisions since the screen was opened. */
  decided: number
  onChange(change: { field?: string | undefined; sure?: Sure | undefined }): void
}

const sures: readonly Sure[] = ['90', '80', '70', '50']

export function Filters({ field, sure, total, decided, onChange }: FiltersProps) {
  const [{ data }] = useQuery({ query: PendingSuggestionsByFieldDocument })
  const groups = (data?.groupSuggestions.groups ?? []).flatMap(({ keys: [key], count }) => (key ? [{ key, count }] : []))
  const known = groups.some(({ key }) => key === field) || !field ? groups : [{ key: field, count: 0 }, ...groups]
  // The count falls up to ten seconds later, when a decision is written.
  const all = Math.max(total ?? 0, decided)
  return (
    <Toolbar>
      <Select
        size="xs"
        aria-label={suggestionWords.field}
        placeholder={suggestionWords.anyField}
        className={classes.filter}
        data={known.map(({ key, count }) => ({ value: key, label: `${fieldLabel(key)} (${count})` }))}
        value={field ?? null}
        onChange={value => onChange({ field: value ?? undefined })}
        clearable
      />
      <Select
        size="xs"
        aria-label={suggestionWords.certainty}
        placeholder={suggestionWords.anyCertainty}
        className={classes.filter}
        data={sures.map(value => ({ value, label: suggestionWords.atLeast(percent(Number(value) / 100)) }))}
        value={sure ?? null}
        onChange={value => onChange({ sure: value ?? undefined })}
        clearable
      />
      {total != null && (
        <div className={classes.progress}>
          <Progress
            value={all === 0 ? 100 : (100 * decided) / (all + decided)}
            size="sm"
            w={96}
            aria-label={suggestionWords.decided}
            visibleFrom="sm"
          />
          <Text size="xs" c="dimmed">
            {suggestionWords.toReview(numberText(decided), numberText(total))}
          </Text>
        </div>
      )}
    </Toolbar>
  )
}
