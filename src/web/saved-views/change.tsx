// Actions on a view: rename, share, delete. On a phone also saving changes, because the header has no room for that button.

import { Menu } from '@mantine/core'
import { IconDeviceFloppy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { DeleteViewDocument } from '../generated/documents/saved-views.ts'
import { viewMenuWords } from '../language/en/views/menus.ts'
import { confirm } from '../pieces/confirm.ts'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import type { OpeningProps } from '../pieces/opens-later.tsx'
import type { View, ViewKind } from './kind.ts'
import { useSaveChanges } from './save-changes.tsx'
import type { ListState } from './view.ts'

export interface ViewItemsProps {
  kind: ViewKind
  view: View
  state: ListState
  mayNot: boolean
  /** Whether the list differs from the view. */
  isDirty: boolean
  onChange(): void
  onDeleted(): void
}

export function ChangeView({ target, isOpen, onOpen, ...items }: ViewItemsProps & OpeningProps) {
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
export function ChangeItems({ kind, view, state, mayNot, isDirty, onChange, onDeleted }: ViewItemsProps) {
  const records = kind.nouns.other
  const { save } = useSaveChanges({ kind, view, state })
  const remove = useMutationWithProblems(DeleteViewDocument)
  const askToDelete = () =>
    confirm({
      title: viewMenuWords.askDelete(view.name),
      loses: view.isShared ? viewMenuWords.losesShared(records) : viewMenuWords.losesOwn(records),
      verb: viewMenuWords.deleteVerb,
      onConfirm: () =>
        void remove.run({ input: { id: view.id } }).then(({ failure }) => {
          if (failure) tellRefusal(viewMenuWords.notDeleted, failure)
          else onDeleted()
        }),
    })
  return (
    <>
      {isDirty && (
        <Menu.Item leftSection={<IconDeviceFloppy />} disabled={mayNot} onClick={() => void save()} hiddenFrom="sm">
          {viewMenuWords.saveChanges}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil />} disabled={mayNot} onClick={onChange}>
        {viewMenuWords.rename}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconTrash />} disabled={mayNot} onClick={askToDelete}>
        {viewMenuWords.delete}
      </Menu.Item>
    </>
  )
}
