// A line of the assignment rule: countries or sources, and the member who gets their contacts.

import { ActionIcon, Group, MultiSelect, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { assignmentWords as words } from '../../language/en/settings/assignment.ts'

interface Line {
  values: string[]
  userId: string
}

interface EntryLineProps {
  line: Line
  /** Of the values: countries or sources. */
  label: string
  choices: { value: string; label: string }[]
  members: readonly { value: string; label: string }[]
  isOff: boolean
  onChange(line: Line): void
  onRemove(): void
}

export const EntryLine = ({ line, label, choices, members, isOff, onChange, onRemove }: EntryLineProps) => (
  <Group gap="sm" align="flex-end" role="group" aria-label={label}>
    <MultiSelect
      flex="2 1 220px"
      label={label}
      data={choices}
      searchable
      limit={300}
      disabled={isOff}
      value={line.values}
      onChange={values => onChange({ ...line, values })}
    />
    <Select
      flex="1 1 180px"
      label={words.owner}
      data={[...members]}
      searchable
      disabled={isOff}
      value={line.userId || null}
      onChange={userId => onChange({ ...line, userId: userId ?? '' })}
    />
    {!isOff && (
      <ActionIcon variant="subtle" size="lg" aria-label={words.remove} title={words.remove} onClick={onRemove}>
        <IconX />
      </ActionIcon>
    )}
  </Group>
)
