// Menu entries of the list: import a file, export a file, and find duplicates.

import { Menu } from '@mantine/core'
import { IconDownload, IconUpload, IconUsers } from '@tabler/icons-react'
import type { ContactFilter } from '../generated/operations.ts'
import type { ContactSort } from '../generated/schema.ts'
import { contactWords } from '../language/en/contacts.ts'
import { useIsAway } from '../live/connectivity.ts'
import { MenuItemLink } from '../pieces/menu-item-link.tsx'
import type { OpeningProps } from '../pieces/opens-later.tsx'
import { useMe } from '../session/use-me.ts'
import { useExport } from './use-export.ts'

export interface MoreActionsProps {
  filter: ContactFilter
  sort: ContactSort
  isFiltered: boolean
  /** The columns of the current view. */
  columns: readonly string[] | undefined
}

export default function MoreDropdown({ filter, sort, isFiltered, columns = [], target, isOpen, onOpen }: MoreActionsProps & OpeningProps) {
  const { download, isRunning } = useExport()
  const { isGuest } = useMe()
  const isOff = useIsAway() || isRunning
  const isView = columns.length > 0
  const words = contactWords.list
  const what = isView ? words.exportView : isFiltered ? words.exportMatching : words.exportAll
  return (
    <Menu opened={isOpen} onChange={onOpen} position="bottom-end">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <MenuItemLink to="/imports" leftSection={<IconUpload />}>
          {words.import}
        </MenuItemLink>
        <Menu.Item leftSection={<IconDownload />} disabled={isGuest || isOff} onClick={() => void download({ filter, sort, columns })}>
          {isGuest ? words.signUpToExport : what}
        </Menu.Item>
        {isView && !isGuest && (
          <Menu.Item leftSection={<IconDownload />} disabled={isOff} onClick={() => void download({ filter, sort })}>
            {words.exportFields}
          </Menu.Item>
        )}
        <MenuItemLink to="/duplicates" leftSection={<IconUsers />}>
          {words.duplicates}
        </MenuItemLink>
      </Menu.Dropdown>
    </Menu>
  )
}
