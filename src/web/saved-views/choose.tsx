// The menu of views: all records, the person's own views, shared views, and an entry that saves the list as a new view.

import { Badge, Menu, Text } from '@mantine/core'
import { IconDeviceFloppy, IconLayoutList, IconTrash, IconUsers } from '@tabler/icons-react'
import { viewMenuWords } from '../language/en/views/menus.ts'
import { viewWords } from '../language/en/views/title.ts'
import type { OpeningProps } from '../pieces/opens-later.tsx'
import { ChangeItems, type ViewItemsProps } from './change.tsx'
import type { View } from './kind.ts'

interface ChooseViewProps extends OpeningProps {
  views: readonly View[]
  /** Such as "contacts". */
  records: string
  isGuest: boolean
  mayNot: boolean
  /** Null for all records. */
  onChoose(view: View | null): void
  onDeleted(): void
  onSave(): void
  /** The actions on the current view, where the header has no room for their menu. */
  current: ViewItemsProps | null
}

export function ChooseView({
  views,
  records,
  isGuest,
  mayNot,
  onChoose,
  onDeleted,
  onSave,
  current,
  target,
  isOpen,
  onOpen,
}: ChooseViewProps) {
  return (
    <Menu opened={isOpen} onChange={onOpen}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown miw={220}>
        <Menu.Item leftSection={<IconLayoutList />} onClick={() => onChoose(null)}>
          {viewWords.all(records)}
        </Menu.Item>
        <ViewItems label={viewMenuWords.yours} views={views.filter(({ isShared }) => !isShared)} onChoose={onChoose} />
        <ViewItems label={viewMenuWords.shared} views={views.filter(({ isShared }) => isShared)} onChoose={onChoose} />
        <Menu.Divider />
        <Menu.Item leftSection={<IconTrash />} onClick={onDeleted}>
          {viewWords.deleted(records)}
        </Menu.Item>
        <Menu.Item leftSection={<IconDeviceFloppy />} disabled={mayNot} onClick={onSave}>
          {isGuest ? viewMenuWords.signUp : viewMenuWords.saveNew}
        </Menu.Item>
        {current && (
          <>
            <Menu.Divider />
            <Menu.Label>{current.view.name}</Menu.Label>
            <ChangeItems {...current} />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
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
          leftSection={view.isShared ? <IconUsers /> : <IconLayoutList />}
          rightSection={
            view.isDefault && (
              <Badge size="xs" variant="default" tt="none" fw={400}>
                {viewMenuWords.first}
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
