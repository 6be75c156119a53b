// The organization switcher at the top of the rail.

import { Avatar, Menu, NavLink, Skeleton } from '@mantine/core'
import { IconCheck, IconSelector } from '@tabler/icons-react'
import { chooseOrganization } from '../../session/caller.ts'
import { useMe } from '../../session/use-me.ts'
import classes from '../rail.module.css'

export function OrganizationMenu({ isNarrow }: { isNarrow: boolean }) {
  const { me, organization, isGuest } = useMe()
  if (!organization) return <Skeleton height={32} width={isNarrow ? 32 : 160} />
  const several = (me?.organizations.length ?? 0) > 1
  return (
    <Menu width={232} disabled={!several}>
      <Menu.Target>
        <NavLink
          component="button"
          className={classes.link}
          aria-label={isNarrow ? organization.name : undefined}
          label={isNarrow ? undefined : organization.name}
          fw={600}
          leftSection={<Mark name={organization.name} />}
          rightSection={several && !isNarrow ? <IconSelector size={16} stroke={1.5} /> : undefined}
          noWrap
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{isGuest ? 'Demo' : 'Organizations'}</Menu.Label>
        {me?.organizations.map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={<Mark name={name} />}
            rightSection={id === organization.id ? <IconCheck size={16} stroke={1.5} /> : undefined}
            onClick={() => chooseOrganization(id)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const Mark = ({ name }: { name: string }) => (
  <Avatar size={18} mx={-1} radius="sm" color="green" variant="filled" aria-hidden>
    {Array.from(name.trim())[0]?.toUpperCase()}
  </Avatar>
)
