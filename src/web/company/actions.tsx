// Actions on a company: copy its id, delete, restore.

import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconCopyCheck, IconDots, IconRestore, IconTrash } from '@tabler/icons-react'
import type { Company } from '../company-record/fields.ts'
import { companyWords } from '../language/en/companies.ts'
import { useRemoval } from './use-removal.ts'

export function Actions({ company, mayWrite }: { company: Company; mayWrite: boolean }) {
  const { takeAway, bringBack, isRunning } = useRemoval(company)
  const words = companyWords.actions
  if (company.deletedAt)
    return (
      <Button leftSection={<IconRestore />} disabled={!mayWrite} loading={isRunning} onClick={() => void bringBack()}>
        {words.restore}
      </Button>
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={words.more}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopyCheck />} onClick={() => void navigator.clipboard.writeText(company.id)}>
          {words.copyId}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash />} disabled={!mayWrite} onClick={() => void takeAway()}>
          {words.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
