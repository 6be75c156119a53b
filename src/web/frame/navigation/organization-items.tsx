// The entries of the organization switcher.

import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import { chooseOrganization } from '../../session/caller.ts'
import { useMe } from '../../session/use-me.ts'
import { Mark } from './mark.tsx'

export default function OrganizationDropdown({ target, isOpen, onOpen }: OpeningProps) {
  const { me, organization, isGuest } = useMe()
  return (
    <Menu opened={isOpen} onChange={onOpen} width={232}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{isGuest ? 'Demo' : 'Organizations'}</Menu.Label>
        {me?.organizations.map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={<Mark name={name} />}
            rightSection={id === organization?.id ? <IconCheck /> : undefined}
            onClick={() => chooseOrganization(id)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
