// The fields of a contact or a company: those with a value or a suggestion, and the others on request.

import { Box, Button, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { recordWords } from '../language/en/contact/record.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { valueText } from '../language/values.ts'
import { type FieldHolder, fieldValue, type RecordField } from './fields/fields.ts'
import classes from './record.module.css'

interface FieldListProps {
  record: FieldHolder
  fields: readonly RecordField[]
  /** People look for these fields first, so they are shown even when they are empty. */
  always: ReadonlySet<string>
  row(field: RecordField, hasValue: boolean): ReactNode
  isSuggested?(id: string): boolean
}

export function FieldList({ record, fields, always, row, isSuggested = () => false }: FieldListProps) {
  const [isWhole, setWhole] = useState(false)
  const textOf = (id: string) => valueText(fieldValue(record, id))
  const isShown = (id: string) => always.has(id) || !['', valueText(false)].includes(textOf(id)) || isSuggested(id)
  const shown = fields.filter(({ id }) => isWhole || isShown(id))
  const hidden = fields.length - shown.length
  return (
    <Stack gap={0}>
      <Box>{shown.map(field => row(field, textOf(field.id) !== ''))}</Box>
      {(hidden > 0 || isWhole) && (
        <Button variant="subtle" color="gray" mt="xs" className={classes.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? recordWords.onlyFilled : countText(hidden, nounWords.moreField)}
        </Button>
      )}
    </Stack>
  )
}
