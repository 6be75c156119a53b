// Actions on a company: copy its id, merge it with another one, delete, restore.

import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconCopyCheck, IconDots, IconGitMerge, IconRestore, IconTrash } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { loadPart } from '../app/loaded.ts'
import type { Company } from '../company-record/fields.ts'
import { OnceOpen } from '../frame/once-open.tsx'
import { companyWords } from '../language/en/companies.ts'
import { useRemoval } from './use-removal.ts'

const MergeWith = lazy(() => loadPart(() => import('./merge-with.tsx')))

export function Actions({ company, mayWrite }: { company: Company; mayWrite: boolean }) {
  const { takeAway, bringBack, isRunning } = useRemoval(company)
  const [isMerging, setMerging] = useState(false)
  const words = companyWords.actions
  if (company.deletedAt)
    return (
      <Button leftSection={<IconRestore />} disabled={!mayWrite} loading={isRunning} onClick={() => void bringBack()}>
        {words.restore}
      </Button>
    )
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={words.more}>
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconGitMerge />} disabled={!mayWrite} onClick={() => setMerging(true)}>
            {words.mergeWith}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopyCheck />} onClick={() => void navigator.clipboard.writeText(company.id)}>
            {words.copyId}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash />} disabled={!mayWrite} onClick={() => void takeAway()}>
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <OnceOpen isOpen={isMerging}>
        <MergeWith company={company} isOpen={isMerging} onClose={() => setMerging(false)} />
      </OnceOpen>
    </>
  )
}
