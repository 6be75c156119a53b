// Two people have changed one field: shows both values, and asks which one stays.

import { Button, Group, Stack, Table, Text } from '@mantine/core'

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
      <Text fw={600}>Changed meanwhile: {label}</Text>
      <Table withTableBorder variant="vertical" layout="fixed">
        <Table.Tbody>
          <Table.Tr>
            <Table.Th w={96}>Yours</Table.Th>
            <Table.Td>{yours}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th>Theirs</Table.Th>
            <Table.Td>{theirs}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Group gap="xs">
        <Button onClick={onKeepYours}>Keep yours</Button>
        <Button variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
      </Group>
    </Stack>
  )
}
