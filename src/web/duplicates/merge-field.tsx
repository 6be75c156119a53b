// A field of two records: a choice between two values, or the combined value.

import { Radio, Text } from '@mantine/core'
import { useId } from 'react'
import { FieldValue } from '../contact-record/fields/field-value.tsx'
import { customKey, type FieldHolder, type RecordField } from '../contact-record/fields/fields.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import classes from './duplicates.module.css'
import { isCombined, type MergedField, type Side } from './kind.ts'

interface MergeFieldProps {
  field: RecordField
  merged: MergedField
  winner: FieldHolder
  loser: FieldHolder
  /** The person's choice, which shows before the preview's answer arrives. */
  chosen: Side | undefined
  isDisabled: boolean
  onChoose(side: Side): void
}

export function MergeField({ field, merged, winner, loser, chosen, isDisabled, onChoose }: MergeFieldProps) {
  const id = useId()
  const label = (
    <Text size="sm" c="dimmed" id={id} className={classes.label}>
      {field.label}
    </Text>
  )
  if (merged.reason === 'SAME' || isCombined(merged)) {
    return (
      <div className={classes.field}>
        {label}
        <Text size="sm" component="div" className={classes.both} c={merged.reason === 'SAME' ? 'dimmed' : undefined}>
          <FieldValue record={combinedIn(winner, merged)} field={field} isWrapped />
          {merged.reason !== 'SAME' && (
            <Text span size="xs" c="dimmed">
              {combinedAs[merged.reason]}
            </Text>
          )}
        </Text>
      </div>
    )
  }
  const kept = chosen ?? merged.keeps
  const option = (side: Side, record: FieldHolder) => (
    <Radio
      name={id}
      className={classes.option}
      checked={kept === side}
      disabled={isDisabled}
      onChange={() => onChoose(side)}
      label={<Value record={record} field={field} />}
    />
  )
  return (
    <div className={classes.field} role="radiogroup" aria-labelledby={id}>
      {label}
      {option('WINNER', winner)}
      {option('LOSER', loser)}
    </div>
  )
}

const combinedAs: Readonly<Record<string, string>> = {
  UNITED: duplicateWords.combined.united,
  EITHER: duplicateWords.combined.either,
  LATEST: duplicateWords.combined.latest,
}

function Value({ record, field }: { record: FieldHolder; field: RecordField }) {
  const value = FieldValue({ record, field, isWrapped: true })
  return value === null || value === '' ? (
    <Text span inherit c="dimmed">
      {duplicateWords.nothing}
    </Text>
  ) : (
    value
  )
}

/** The winner with the value of both. Of addresses only the values are shown. */
function combinedIn(winner: FieldHolder, { field, reason, value }: MergedField): FieldHolder {
  if (reason === 'SAME' && (customKey(field) !== null || Object.hasOwn(winner, field))) return winner
  const shown = Array.isArray(value)
    ? value.map(one => (typeof one === 'object' && one !== null && 'value' in one ? one.value : one))
    : value
  return { ...winner, [field]: shown }
}
