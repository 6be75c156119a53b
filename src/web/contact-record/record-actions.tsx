// Actions on a contact: call, enrich, do not call, delete, restore.

import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconCopyCheck, IconDots, IconPhone, IconPhoneOff, IconRestore, IconSparkles, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useMutationWithProblems } from '../data/use-write.ts'
import { DeleteContactDocument, EnrichContactDocument, RestoreContactDocument } from '../generated/documents/contact-record.ts'
import { RecipesToChooseDocument } from '../generated/documents/contact-record-fields.ts'
import { amount } from '../pieces/money.tsx'
import { offerUndo } from '../pieces/undo.tsx'
import { CallContact } from './call-contact.tsx'
import { contactFields, nameOf } from './fields/fields.ts'
import { notify, tellRefusal } from './fields/notices.tsx'
import { useContactEdit } from './fields/use-contact-edit.ts'
import type { ContactRecord } from './use-record.ts'

const doNotCall = contactFields.find(({ id }) => id === 'doNotCall')

interface RecordActionsProps {
  contact: ContactRecord
  mayWrite: boolean
  /** Whether the dialog of a call is open at first. */
  isCalled?: boolean
  onCallClosed?(): void
}

export function RecordActions({ contact, mayWrite, isCalled = false, onCallClosed }: RecordActionsProps) {
  const [isCalling, setCalling] = useState(isCalled)
  const edit = useContactEdit()
  const remove = useMutationWithProblems(DeleteContactDocument)
  const restore = useMutationWithProblems(RestoreContactDocument)
  const { id, version } = contact

  const bringBack = async () => {
    const { failure } = await restore.run({ input: { id } })
    if (failure) tellRefusal(`${nameOf(contact)} was not restored`, failure)
  }
  const takeAway = async () => {
    const { failure } = await remove.run({ input: { id, ifVersion: version } })
    if (failure) tellRefusal(`${nameOf(contact)} was not deleted`, failure)
    else offerUndo(`${nameOf(contact)} deleted`, () => void bringBack())
  }

  if (contact.deletedAt)
    return (
      <Button leftSection={<IconRestore />} disabled={!mayWrite} loading={restore.isRunning} onClick={() => void bringBack()}>
        Restore
      </Button>
    )
  const closeCall = () => {
    setCalling(false)
    onCallClosed?.()
  }
  const mayCall = mayWrite && !contact.doNotCall && contact.phone !== null
  return (
    <>
      <Button
        leftSection={<IconPhone />}
        disabled={!mayCall}
        title={contact.doNotCall ? 'This contact must not be called' : contact.phone === null ? 'Add a phone number first' : undefined}
        onClick={() => setCalling(true)}
      >
        Call
      </Button>
      <EnrichMenu contactId={id} mayWrite={mayWrite} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label="More actions">
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPhoneOff />}
            disabled={!mayWrite}
            onClick={() => doNotCall && edit({ contact, field: doNotCall, value: !contact.doNotCall })}
          >
            {contact.doNotCall ? 'May be called again' : 'Do not call'}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopyCheck />} onClick={() => void navigator.clipboard.writeText(id)}>
            Copy the id
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash />} disabled={!mayWrite} onClick={() => void takeAway()}>
            Delete the contact
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <CallContact contact={contact} isOpen={isCalling && mayCall} onClose={closeCall} />
    </>
  )
}

function EnrichMenu({ contactId, mayWrite }: { contactId: string; mayWrite: boolean }) {
  const [{ data }] = useQuery({ query: RecipesToChooseDocument })
  const enrich = useMutationWithProblems(EnrichContactDocument)
  const recipes = (data?.recipes.nodes ?? []).filter(({ kinds }) => kinds === null || kinds.includes('contact'))
  const start = async (recipe: string) => {
    const { failure } = await enrich.run({ input: { recipe, target: { hostApp: 'rolocom', kind: 'contact', id: contactId } } })
    if (failure) tellRefusal('The enrichment was not started', failure)
    else notify('Enrichment started. Its suggestions appear at the fields.')
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconSparkles />} disabled={!mayWrite} loading={enrich.isRunning}>
          Enrich
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {recipes.map(({ name, title, price, unavailable }) => (
          <Menu.Item key={name} disabled={unavailable !== null} onClick={() => void start(name)}>
            {title}
            <Text size="xs" c="dimmed">
              {unavailable !== null ? 'not set up' : price > 0 ? `up to ${amount(price)}` : 'free'}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
