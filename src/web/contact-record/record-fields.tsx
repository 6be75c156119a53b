// The fields of the record: those with a value or a suggestion, and the others on request.

import { Box, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { recordWords } from '../language/en/contact/record.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { valueText } from '../language/values.ts'
import { FieldRow } from './field-row.tsx'
import { useContactFields } from './fields/choices.ts'
import { fieldValue } from './fields/fields.ts'
import type { ContactRecord, WaitingSuggestion } from './use-record.ts'

interface RecordFieldsProps {
  contact: ContactRecord
  suggestions: ReadonlyMap<string, WaitingSuggestion>
  mayWrite: boolean
}

// People look for these fields first, so they are shown even when they are empty.
const always = new Set(['firstName', 'lastName', 'email', 'phone', 'companyName', 'jobTitle', 'lifecycleStage', 'ownerUserId', 'tags'])

export function RecordFields({ contact, suggestions, mayWrite }: RecordFieldsProps) {
  const fields = useContactFields()
  const [isWhole, setWhole] = useState(false)
  const metaOf = new Map(contact.fieldMeta.map(meta => [meta.field, meta]))
  const hasValue = (id: string) => !['', 'No'].includes(valueText(fieldValue(contact, id)))
  const isShown = (id: string) => always.has(id) || hasValue(id) || suggestions.has(id)
  const shown = fields.filter(({ id }) => isWhole || isShown(id))
  const hidden = fields.length - shown.length
  return (
    <Stack gap={0}>
      <Box>
        {shown.map(field => (
          <FieldRow
            key={field.id}
            contact={contact}
            field={field}
            meta={metaOf.get(field.id)}
            suggestion={suggestions.get(field.id)}
            mayWrite={mayWrite}
          />
        ))}
      </Box>
      {(hidden > 0 || isWhole) && (
        <Button variant="subtle" color="gray" mt="xs" style={{ alignSelf: 'start' }} onClick={() => setWhole(!isWhole)}>
          {isWhole ? recordWords.onlyFilled : countText(hidden, nounWords.moreField)}
        </Button>
      )}
    </Stack>
  )
}
