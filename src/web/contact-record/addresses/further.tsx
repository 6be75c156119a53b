// The further addresses or numbers of a contact, below the primary one: add, remove, and choose another as the primary one.

import { ActionIcon, Box, Button, Group, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { recordWords } from '../../language/en/contact/record.ts'
import { tellProblem } from '../../pieces/notices/refusal.tsx'
import { TextEditor } from '../../table/editors.tsx'
import type { ContactRecord } from '../use-record.ts'
import { type AddressKind, useAddresses } from './use-addresses.ts'

interface FurtherAddressesProps {
  contact: ContactRecord
  kind: AddressKind
  mayWrite: boolean
}

// As the rule of the server.
const maxAddresses = 20

export default function FurtherAddresses({ contact, kind, mayWrite }: FurtherAddressesProps) {
  const [isAdding, setAdding] = useState(false)
  const save = useAddresses(contact, kind)
  const words = recordWords.addresses[kind]
  const all = contact[kind]
  const further = all.filter(({ isPrimary }) => !isPrimary)
  return (
    <Box role="group" aria-label={words.further}>
      {further.map(({ value, label }) => (
        <Group key={value} gap="xs" wrap="nowrap" justify="space-between">
          <Text size="sm" px={8} style={{ overflowWrap: 'anywhere' }}>
            {value}
            {label !== null && (
              <Text span size="xs" c="dimmed">
                {' '}
                {label}
              </Text>
            )}
          </Text>
          {mayWrite && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={recordWords.addresses.actionsOf(value)}>
                  <IconDots size={14} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => save(all.map(one => ({ ...one, isPrimary: one.value === value })))}>
                  {recordWords.addresses.makePrimary}
                </Menu.Item>
                <Menu.Item color="red" onClick={() => save(all.filter(one => one.value !== value))}>
                  {recordWords.addresses.remove}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      ))}
      {isAdding ? (
        <TextEditor
          label={words.another}
          value=""
          type={kind === 'emails' ? 'email' : 'tel'}
          onDone={() => setAdding(false)}
          onRefused={problem => tellProblem(recordWords.addresses.notAdded, problem)}
          onSave={async (value, showRefusal) => value === '' || save([...all, { value, label: null, isPrimary: false }], showRefusal)}
        />
      ) : (
        mayWrite &&
        all.length > 0 &&
        all.length < maxAddresses && (
          <Button variant="subtle" color="gray" size="compact-xs" fw={400} onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      )}
    </Box>
  )
}
