// The entries of the organization switcher: the person's organizations, and what can be done with the chosen one.

import { Menu } from '@mantine/core'
import { IconCheck, IconPlus, IconSettings, IconUserPlus } from '@tabler/icons-react'
import { frameWords } from '../../language/en/frame.ts'
import { MenuItemLink } from '../../pieces/menu-item-link.tsx'
import type { OpeningProps } from '../../pieces/opens-later.tsx'
import { chooseOrganization } from '../../session/caller.ts'
import { useMe } from '../../session/use-me.ts'
import { Mark } from './mark.tsx'

export default function OrganizationDropdown({ target, isOpen, onOpen }: OpeningProps) {
  const { me, organization } = useMe()
  const mayInvite = organization?.role === 'OWNER' || organization?.role === 'ADMIN'
  return (
    <Menu opened={isOpen} onChange={onOpen} width={232} withInitialFocusPlaceholder={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{frameWords.organizations}</Menu.Label>
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
        <Menu.Divider />
        <MenuItemLink to="/settings/organization" leftSection={<IconSettings />}>
          {frameWords.organizationSettings}
        </MenuItemLink>
        {mayInvite && (
          <MenuItemLink to="/settings/members" search={{ invite: true }} leftSection={<IconUserPlus />}>
            {frameWords.invite}
          </MenuItemLink>
        )}
        <MenuItemLink to="/settings/organization" search={{ new: true }} leftSection={<IconPlus />}>
          {frameWords.newOrganization}
        </MenuItemLink>
      </Menu.Dropdown>
    </Menu>
  )
}
