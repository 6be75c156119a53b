// The next three suggestions of the queue, below the card.

import { Text, UnstyledButton } from '@mantine/core'
import type { SuggestionCardFragment } from '../generated/operations.ts'
import { suggestionWords } from '../language/en/screens/suggestions.ts'
import { percent } from '../language/format.ts'
import { fieldLabel, fieldText } from '../language/values.ts'
import classes from './queue.module.css'

interface NextOnesProps {
  suggestions: readonly SuggestionCardFragment[]
  onOpen(id: string): void
}

export function NextOnes({ suggestions, onOpen }: NextOnesProps) {
  if (suggestions.length === 0) return null
  return (
    <section aria-label={suggestionWords.nextOnes}>
      <Text size="xs" c="dimmed" mb={4}>
        {suggestionWords.next}
      </Text>
      <div className={classes.next}>
        {suggestions.map(({ id, field, contact, proposedValue, confidence }) => (
          <UnstyledButton key={id} className={classes.nextOne} onClick={() => onOpen(id)}>
            <span className={classes.nextWho}>{contact?.fullName ?? contact?.email ?? suggestionWords.noContact}</span>
            <span className={classes.nextField}>{fieldLabel(field)}</span>
            <span className={classes.nextValue}>{fieldText(field, proposedValue)}</span>
            <span className={classes.nextSure}>{percent(confidence)}</span>
          </UnstyledButton>
        ))}
      </div>
    </section>
  )
}
