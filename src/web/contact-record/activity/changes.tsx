// The changed fields of an entry, each with its value before and after.

import { Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { timelineWords } from '../../language/en/timeline.ts'
import { fieldLabel } from '../../language/values.ts'
import { type ContactField, customKey } from '../fields/fields.ts'
import classes from '../record.module.css'
import { changedValue, isUntold } from './changed-value.ts'

interface ChangesProps {
  changes: readonly { field: string; before: unknown; after: unknown }[]
  fields: readonly ContactField[]
  members: ReadonlyMap<string, string>
}

export function Changes({ changes, fields, members }: ChangesProps) {
  // The name of the company tells the same as its id.
  const isNamed = changes.some(({ field }) => field === 'companyName')
  return changes.map(({ field, before, after }) => {
    if (isUntold(field) || (field === 'companyId' && isNamed)) return null
    const [was, is] = [changedValue(field, before, members), changedValue(field, after, members)]
    return (
      <Text key={field} size="sm" c="dimmed" className={classes.text}>
        {labelOf(field, fields)}{' '}
        {was !== '' && (
          <>
            <s>{was}</s> <IconArrowRight size={12} aria-label={timelineWords.became} />{' '}
          </>
        )}
        <Text span inherit c="var(--mantine-color-text)">
          {is || timelineWords.nothing}
        </Text>
      </Text>
    )
  })
}

/** The name of a field. A custom field has the organization's name for it. */
export const labelOf = (id: string, fields: readonly ContactField[]): string =>
  fields.find(field => field.id === id)?.label ?? customKey(id) ?? fieldLabel(id)
