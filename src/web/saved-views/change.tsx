// Actions on a view: rename, share, delete. On a phone also saving changes, because the header has no room for that button.

import { Menu } from '@mantine/core'
import { IconDeviceFloppy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { DeleteViewOfContactsDocument } from '../generated/documents/contacts-views.ts'
import { listWords } from '../language/en/contact/list.ts'
import { confirm } from '../pieces/confirm.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import type { OpeningProps } from '../pieces/opens-later.tsx'
import type { View } from './view.ts'

export interface ViewItemsProps {
  view: View
  mayNot: boolean
  /** Undefined when nothing has changed. */
  onSave: (() => void) | undefined
  onChange(): void
  onDeleted(): void
}

export default function ChangeView({ target, isOpen, onOpen, ...items }: ViewItemsProps & OpeningProps) {
  return (
    <Menu opened={isOpen} onChange={onOpen}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <ChangeItems {...items} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Also stands in the menu of views on a phone. */
export function ChangeItems({ view, mayNot, onSave, onChange, onDeleted }: ViewItemsProps) {
  const remove = useMutationWithProblems(DeleteViewOfContactsDocument)
  const askToDelete = () =>
    confirm({
      title: listWords.views.askDelete(view.name),
      loses: view.isShared ? listWords.views.losesShared : listWords.views.losesOwn,
      verb: listWords.views.deleteVerb,
      onConfirm: () =>
        void remove.run({ input: { id: view.id } }).then(({ failure }) => {
          if (failure) tellRefusal(listWords.views.notDeleted, failure)
          else onDeleted()
        }),
    })
  return (
    <>
      {onSave && (
        <Menu.Item leftSection={<IconDeviceFloppy />} disabled={mayNot} onClick={onSave} hiddenFrom="sm">
          {listWords.views.saveChanges}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil />} disabled={mayNot} onClick={onChange}>
        {listWords.views.rename}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconTrash />} disabled={mayNot} onClick={askToDelete}>
        {listWords.views.delete}
      </Menu.Item>
    </>
  )
}
