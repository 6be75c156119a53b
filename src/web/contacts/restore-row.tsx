// The button that restores the contact of a row, with an undo.

import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { nameOf } from '../contact-record/fields/fields.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { DeleteContactDocument, RestoreContactDocument } from '../generated/documents/contact-record.ts'
import type { ContactRowFragment } from '../generated/operations.ts'
import { contactWords } from '../language/en/contacts.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { offerUndo } from '../pieces/notices/undo.tsx'
import { useMe } from '../session/use-me.ts'

interface RestoreRowProps {
  contact: ContactRowFragment
  /** For fingers, and reached by Tab. A row of the grid has one cell with the focus. */
  isOnCard?: boolean
}

export default function RestoreRow({ contact, isOnCard = false }: RestoreRowProps) {
  const { isOff } = useMe()
  const restore = useMutationWithProblems(RestoreContactDocument)
  const remove = useMutationWithProblems(DeleteContactDocument)
  const words = contactWords.trash
  const name = nameOf(contact)
  const input = { id: contact.id }
  const takeBack = async () => {
    const { failure } = await remove.run({ input })
    if (failure) tellRefusal(words.notDeleted(name), failure)
  }
  const bringBack = async () => {
    const { failure } = await restore.run({ input })
    if (failure) tellRefusal(words.notRestored(name), failure)
    else offerUndo(words.restored(name), () => void takeBack())
  }
  return (
    <Button
      size={isOnCard ? 'xs' : 'compact-xs'}
      variant="light"
      tabIndex={isOnCard ? 0 : -1}
      leftSection={<IconArrowBackUp size={14} />}
      aria-label={words.restoreOne(name)}
      disabled={isOff}
      loading={restore.isRunning}
      onClick={event => {
        event.stopPropagation()
        void bringBack()
      }}
    >
      {contactWords.bulk.restore}
    </Button>
  )
}
