// Another person has changed the record since the editor opened: asks whose value stands, where both changed the field.

import { modals } from '@mantine/modals'
import { createElement } from 'react'
import type { Client } from 'urql'
import { contactWords } from '../../language/en/contacts.ts'
import { valueText } from '../../language/values.ts'
import { Conflict } from '../../pieces/states/conflict.tsx'
import { editedValue, type FieldHolder } from './fields.ts'
import type { Door, Edit } from './use-field-edit.ts'

/** `saveOver` writes the person's value over the record of the other person. If that one changed another field, both changes stand. */
export async function compare<Holder extends FieldHolder>(
  client: Client,
  door: Door<Holder>,
  { record, field, value, text }: Edit<Holder>,
  saveOver: (theirs: Holder) => Promise<unknown>,
): Promise<void> {
  const theirs = await door.read(client, record.id)
  if (!theirs) return
  const standing = valueText(editedValue(theirs, field))
  if (standing === valueText(editedValue(record, field))) {
    await saveOver(theirs)
    return
  }
  const id = modals.open({
    title: contactWords.record.whichValue,
    withCloseButton: false,
    children: createElement(Conflict, {
      label: field.label,
      yours: text ?? valueText(value),
      theirs: door.textOf?.(theirs, field) ?? standing,
      onTakeTheirs: () => modals.close(id),
      onKeepYours: () => {
        modals.close(id)
        void saveOver(theirs)
      },
    }),
  })
}
