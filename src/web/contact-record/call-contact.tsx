// The dialog that calls a contact by a voice agent.

import CallForm from '../call-form/form.tsx'
import { tellPlaced } from '../call-form/tell-placed.tsx'
import { Dialog } from '../frame/floating/dialog.tsx'
import { recordWords } from '../language/en/contact/record.ts'
import { nameOf } from './fields/fields.ts'
import type { ContactRecord } from './use-record.ts'

interface CallContactProps {
  contact: ContactRecord
  isOpen: boolean
  onClose(): void
}

export default function CallContact({ contact, isOpen, onClose }: CallContactProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={recordWords.actions.callName(nameOf(contact))}>
      <CallForm
        contact={contact}
        onClose={onClose}
        onPlaced={call => {
          onClose()
          tellPlaced(nameOf(contact), call)
        }}
      />
    </Dialog>
  )
}
