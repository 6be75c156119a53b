// The developers' corner in the rail: what this app does, every developer can do.

import { Menu, NavLink } from '@mantine/core'
import { developerPages, developersIcon as Icon } from '../places.ts'
import classes from '../rail.module.css'

export function DevelopersMenu({ isNarrow }: { isNarrow: boolean }) {
  return (
    <Menu width={232} position="right-end">
      <Menu.Target>
        <NavLink
          component="button"
          className={classes.link}
          aria-label="Developers"
          label={isNarrow ? undefined : 'Developers'}
          leftSection={<Icon size={16} stroke={1.5} />}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {developerPages.map(({ href, label }) => (
          <Menu.Item key={href} component="a" href={href} target="_blank" rel="noreferrer">
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
