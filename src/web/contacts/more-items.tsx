// Menu entries of the list: import a file, export a file, and find duplicates.

import { Menu } from '@mantine/core'
import { IconDownload, IconUpload, IconUsers } from '@tabler/icons-react'
import { tellRefusal } from '../contact-record/fields/notices.tsx'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CreateContactExportDocument } from '../generated/documents/contacts.ts'
import type { ContactFilter } from '../generated/operations.ts'
import type { ContactSort } from '../generated/schema.ts'
import { announce } from '../keyboard/announce.tsx'
import { useIsAway } from '../live/connectivity.ts'
import { MenuItemLink } from '../pieces/menu-item-link.tsx'
import type { OpeningProps } from '../pieces/opens-later.tsx'
import { useMe } from '../session/use-me.ts'

export interface MoreActionsProps {
  filter: ContactFilter
  sort: ContactSort
  isFiltered: boolean
  /** The columns of the current view. */
  columns: readonly string[] | undefined
}

export default function MoreDropdown({ filter, sort, isFiltered, columns = [], target, isOpen, onOpen }: MoreActionsProps & OpeningProps) {
  const making = useMutationWithProblems(CreateContactExportDocument)
  const { isGuest } = useMe()
  const isAway = useIsAway()
  const isView = columns.length > 0
  const download = async (chosen: readonly string[]) => {
    // Without a byte order mark Excel guesses another encoding.
    const input = { filter, sort, byteOrderMark: true, ...(chosen.length > 0 && { columns: [...chosen] }) }
    const { data, failure } = await making.run({ input })
    if (failure) return tellRefusal('The contacts were not exported', failure)
    announce(`${data.createContactExport.fileName} is downloaded`)
    // The link works once, and its answer is a file: the browser stays on the page.
    window.location.assign(data.createContactExport.url)
  }
  return (
    <Menu opened={isOpen} onChange={onOpen} position="bottom-end">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <MenuItemLink to="/imports" leftSection={<IconUpload />}>
          Import a CSV file
        </MenuItemLink>
        <Menu.Item leftSection={<IconDownload />} disabled={isGuest || isAway || making.isRunning} onClick={() => void download(columns)}>
          {isGuest ? 'Sign up to export' : isView ? 'Export this view' : isFiltered ? 'Export matching contacts' : 'Export all contacts'}
        </Menu.Item>
        {isView && !isGuest && (
          <Menu.Item leftSection={<IconDownload />} disabled={isAway || making.isRunning} onClick={() => void download([])}>
            Export it with all fields
          </Menu.Item>
        )}
        <MenuItemLink to="/duplicates" leftSection={<IconUsers />}>
          Duplicates
        </MenuItemLink>
      </Menu.Dropdown>
    </Menu>
  )
}
