// The two files of a list in a saved view: with the columns of the view, and with all fields.

import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { exportWords } from '../../language/en/inputs/exports.ts'
import type { OpeningProps } from '../../pieces/opens-later.tsx'

interface ExportChoicesProps extends OpeningProps {
  onView(): void
  onAll(): void
}

export default function ExportChoices({ onView, onAll, target, isOpen, onOpen }: ExportChoicesProps) {
  return (
    <Menu opened={isOpen} onChange={onOpen} position="bottom-end">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconDownload />} onClick={onView}>
          {exportWords.view}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload />} onClick={onAll}>
          {exportWords.viewFields}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
