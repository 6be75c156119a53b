// A field of two contacts: a choice between two values, or the combined value.

import { Radio, Text } from '@mantine/core'
import { useId } from 'react'
import { FieldValue } from '../contact-record/fields/field-value.tsx'
import type { Contact, ContactField } from '../contact-record/fields/fields.ts'
import { duplicateWords } from '../language/en/screens/duplicates.ts'
import type { MergedField, Side } from './choices.ts'
import { isCombined } from './choices.ts'
import classes from './duplicates.module.css'

interface MergeFieldProps {
  field: ContactField
  merged: MergedField
  winner: Contact
  loser: Contact
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
          <FieldValue record={merged.reason === 'SAME' ? winner : withValue(winner, field.id, merged.value)} field={field} isWrapped />
          {merged.reason !== 'SAME' && (
            <Text span size="xs" c="dimmed">
              {combinedAs[field.id]}
            </Text>
          )}
        </Text>
      </div>
    )
  }
  const kept = chosen ?? merged.keeps
  const option = (side: Side, contact: Contact) => (
    <Radio
      name={id}
      className={classes.option}
      checked={kept === side}
      disabled={isDisabled}
      onChange={() => onChoose(side)}
      label={<Value contact={contact} field={field} />}
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
  tags: duplicateWords.combined.tags,
  doNotCall: duplicateWords.combined.doNotCall,
  lastContactedAt: duplicateWords.combined.lastContactedAt,
}

function Value({ contact, field }: { contact: Contact; field: ContactField }) {
  const value = FieldValue({ record: contact, field, isWrapped: true })
  return value === null || value === '' ? (
    <Text span inherit c="dimmed">
      {duplicateWords.nothing}
    </Text>
  ) : (
    value
  )
}

function withValue(contact: Contact, id: string, value: unknown): Contact {
  return { ...contact, [id]: value }
}
