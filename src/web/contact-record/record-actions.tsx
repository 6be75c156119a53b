// Actions on a contact: call, enrich, do not call, delete, restore.

import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconCopyCheck, IconDots, IconPhone, IconPhoneOff, IconRestore, IconSparkles, IconTrash } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { useQuery } from 'urql'
import { loadPart } from '../app/loaded.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { OnceOpen } from '../frame/once-open.tsx'
import { DeleteContactDocument, EnrichContactDocument, RestoreContactDocument } from '../generated/documents/contact-record.ts'
import { RecipesToChooseDocument } from '../generated/documents/contact-record-fields.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { contactWords } from '../language/en/contacts.ts'
import { recipeText } from '../language/en/enrichment/recipes.ts'
import { amount } from '../pieces/money.tsx'
import { notify, tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import { contactFields, nameOf } from './fields/fields.ts'
import { useContactEdit } from './fields/use-field-edit.ts'
import type { ContactRecord } from './use-record.ts'

const CallContact = lazy(() => loadPart(() => import('./call-contact.tsx')))

const words = recordWords.actions
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
    if (failure) tellRefusal(contactWords.trash.notRestored(nameOf(contact)), failure)
  }
  const takeAway = async () => {
    const { failure } = await remove.run({ input: { id, ifVersion: version } })
    if (failure) tellRefusal(contactWords.trash.notDeleted(nameOf(contact)), failure)
    else offerUndo(words.deleted(nameOf(contact)), () => void bringBack())
  }

  if (contact.deletedAt)
    return (
      <Button leftSection={<IconRestore />} disabled={!mayWrite} loading={restore.isRunning} onClick={() => void bringBack()}>
        {contactWords.bulk.restore}
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
        title={contact.doNotCall ? words.noCall : contact.phone === null ? words.noPhone : undefined}
        onClick={() => setCalling(true)}
      >
        {words.call}
      </Button>
      <EnrichMenu contactId={id} mayWrite={mayWrite} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={words.more}>
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPhoneOff />}
            disabled={!mayWrite}
            onClick={() => doNotCall && edit({ record: contact, field: doNotCall, value: !contact.doNotCall })}
          >
            {contact.doNotCall ? contactWords.bulk.mayCall : contactWords.bulk.doNotCall}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopyCheck />} onClick={() => void navigator.clipboard.writeText(id)}>
            {words.copyId}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash />} disabled={!mayWrite} onClick={() => void takeAway()}>
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <OnceOpen isOpen={isCalling && mayCall}>
        <CallContact contact={contact} isOpen={isCalling && mayCall} onClose={closeCall} />
      </OnceOpen>
    </>
  )
}

function EnrichMenu({ contactId, mayWrite }: { contactId: string; mayWrite: boolean }) {
  const [{ data }] = useQuery({ query: RecipesToChooseDocument })
  const enrich = useMutationWithProblems(EnrichContactDocument)
  const recipes = (data?.recipes.nodes ?? []).filter(({ kinds }) => kinds === null || kinds.includes('contact'))
  const start = async (recipe: string) => {
    const { failure } = await enrich.run({ input: { recipe, target: { hostApp: 'rolocom', kind: 'contact', id: contactId } } })
    if (failure) tellRefusal(words.notEnriched, failure)
    else notify(words.enriching)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconSparkles />} disabled={!mayWrite} loading={enrich.isRunning}>
          {contactWords.bulk.enrich}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {recipes.map(({ name, title, price, unavailable }) => (
          <Menu.Item key={name} disabled={unavailable !== null} onClick={() => void start(name)}>
            {recipeText(title)}
            <Text size="xs" c="dimmed">
              {unavailable !== null ? contactWords.recipe.notSetUp : price > 0 ? words.upTo(amount(price)) : contactWords.recipe.free}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
