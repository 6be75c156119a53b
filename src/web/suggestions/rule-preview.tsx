// The preview of a rule: the number of decisions, the first suggestions, and the ones that would be left.

import { Stack, Table, Text } from '@mantine/core'
import type { DecideSuggestionsMutation } from '../generated/operations.ts'
import { suggestionWords } from '../language/en/screens/suggestions.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { fieldLabel, fieldText } from '../language/values.ts'
import classes from './queue.module.css'
import type { Decision } from './use-decisions.ts'

interface RulePreviewProps {
  preview: DecideSuggestionsMutation['decideSuggestions']
  decision: Decision
}

const maxShown = 20

export function RulePreview({ preview: { succeeded, failed, hasMore, results }, decision }: RulePreviewProps) {
  if (results.length === 0) return <Text role="status">{suggestionWords.rule.nothing}</Text>
  return (
    <Stack gap="xs">
      <Text role="status">
        {suggestionWords.rule.would(decision === 'ACCEPT', countText(succeeded, nounWords.suggestion), failed, hasMore)}
      </Text>
      <Table withTableBorder layout="fixed" aria-label={suggestionWords.rule.preview} fz="sm">
        <Table.Tbody>
          {results.slice(0, maxShown).map(({ suggestionId, suggestion, error }) => (
            <Table.Tr key={suggestionId}>
              <Table.Td className={classes.anywhere}>
                <Text size="sm" lineClamp={1}>
                  {suggestion?.contact?.fullName ?? suggestionWords.noContact}
                </Text>
                <Text size="xs" c="dimmed">
                  {suggestion && fieldLabel(suggestion.field)}
                </Text>
              </Table.Td>
              <Table.Td className={classes.anywhere}>
                <Text size="sm" lineClamp={2}>
                  {suggestion && fieldText(suggestion.field, suggestion.proposedValue)}
                </Text>
                {error && (
                  <Text size="xs" c="red" lineClamp={2}>
                    {error.message}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {results.length > maxShown && (
        <Text size="xs" c="dimmed">
          {suggestionWords.rule.first(maxShown)}
        </Text>
      )}
    </Stack>
  )
}
