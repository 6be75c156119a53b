// Beside the title: the view that is shown, the others, and what can be done with it.

import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { IconChevronDown, IconDeviceFloppy, IconDots, IconLayoutList, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { tellRefusal } from '../../contact-record/fields/notices.tsx'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { ChangeViewOfContactsDocument, DeleteViewOfContactsDocument } from '../../generated/documents/contacts-views.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { confirm } from '../../pieces/confirm.tsx'
import { useMe } from '../../session/use-me.ts'
import { SaveView } from './save.tsx'
import { definitionOf, isChanged, type ListState, type View } from './view.ts'

interface ViewsMenuProps {
  views: readonly View[]
  current: View | undefined
  state: ListState
  /** null: all contacts. */
  onChoose(view: View | null): void
}

export function ViewsMenu({ views, current, state, onChoose }: ViewsMenuProps) {
  const [dialog, setDialog] = useState<'new' | 'change' | null>(null)
  const { isGuest } = useMe()
  const isAway = useIsAway()
  const mayNot = isAway || isGuest
  const change = useMutationWithProblems(ChangeViewOfContactsDocument)
  const remove = useMutationWithProblems(DeleteViewOfContactsDocument)
  const isDirty = current !== undefined && isChanged(current, state)
  const save = async (view: View) => {
    const { failure } = await change.run({ input: { id: view.id, ifVersion: view.version, ...definitionOf(state) } })
    if (failure) tellRefusal('The view was not saved', failure)
  }
  const askToDelete = (view: View) =>
    confirm({
      title: `Delete the view "${view.name}"?`,
      loses: view.isShared
        ? 'Everybody in the organization loses it. The contacts stay.'
        : 'Its filters and columns are lost. The contacts stay.',
      verb: 'Delete view',
      onConfirm: () =>
        void remove.run({ input: { id: view.id } }).then(({ failure }) => {
          if (failure) tellRefusal('The view was not deleted', failure)
          else onChoose(null)
        }),
    })
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Menu>
        <Menu.Target>
          <Button variant="subtle" color="gray" maw={240} rightSection={<IconChevronDown size={14} stroke={1.5} />}>
            <Text span size="sm" truncate>
              {current?.name ?? 'All contacts'}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown miw={220}>
          <Menu.Item leftSection={<IconLayoutList size={16} stroke={1.5} />} onClick={() => onChoose(null)}>
            All contacts
          </Menu.Item>
          <ViewItems label="Your views" views={views.filter(({ isShared }) => !isShared)} onChoose={onChoose} />
          <ViewItems label="Shared views" views={views.filter(({ isShared }) => isShared)} onChoose={onChoose} />
          <Menu.Divider />
          <Menu.Item leftSection={<IconDeviceFloppy size={16} stroke={1.5} />} disabled={mayNot} onClick={() => setDialog('new')}>
            {isGuest ? 'Sign up to save views' : 'Save as a new view'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDirty && (
        <Button variant="light" disabled={mayNot} loading={change.isRunning} onClick={() => void save(current)}>
          Save changes
        </Button>
      )}
      {current && (
        <Menu>
          <Menu.Target>
            <ActionIcon aria-label={`Change the view ${current.name}`}>
              <IconDots size={16} stroke={1.5} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} stroke={1.5} />} disabled={mayNot} onClick={() => setDialog('change')}>
              Rename and share
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<IconTrash size={16} stroke={1.5} />}
              disabled={mayNot}
              onClick={() => askToDelete(current)}
            >
              Delete the view
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <SaveView
        view={dialog === 'change' ? current : undefined}
        isOpen={dialog !== null}
        state={state}
        onClose={() => setDialog(null)}
        onSaved={view => {
          setDialog(null)
          onChoose(view)
        }}
      />
    </Group>
  )
}

function ViewItems({ label, views, onChoose }: { label: string; views: readonly View[]; onChoose(view: View): void }) {
  if (views.length === 0) return null
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map(view => (
        <Menu.Item
          key={view.id}
          onClick={() => onChoose(view)}
          leftSection={view.isShared ? <IconUsers size={16} stroke={1.5} /> : <IconLayoutList size={16} stroke={1.5} />}
          rightSection={
            view.isDefault && (
              <Badge size="xs" variant="default" tt="none" fw={400}>
                first
              </Badge>
            )
          }
        >
          <Text span inherit truncate maw={240} display="block">
            {view.name}
          </Text>
        </Menu.Item>
      ))}
    </>
  )
}
