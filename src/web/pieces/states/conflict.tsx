// Two people have changed one field: shows both values, and asks which one stays.

import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { laterWords } from '../../language/en/shared/later.ts'

interface ConflictProps {
  label: string
  yours: string
  theirs: string
  /** Writes the person's value over the other one. */
  onKeepYours(): void
  onTakeTheirs(): void
}

export function Conflict({ label, yours, theirs, onKeepYours, onTakeTheirs }: ConflictProps) {
  return (
    <Stack gap="sm" role="alert">
      <Text fw={600}>{laterWords.conflict.title(label)}</Text>
      <Table withTableBorder variant="vertical" layout="fixed">
        <Table.Tbody>
          <Table.Tr>
            <Table.Th w={96}>{laterWords.conflict.yours}</Table.Th>
            <Table.Td>{yours}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>{laterWords.conflict.theirs}</Table.Th>
            <Table.Td>{theirs}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Group gap="xs">
        <Button onClick={onKeepYours}>{laterWords.conflict.keepYours}</Button>
        <Button variant="default" onClick={onTakeTheirs}>
          {laterWords.conflict.takeTheirs}
        </Button>
      </Group>
    </Stack>
  )
}
