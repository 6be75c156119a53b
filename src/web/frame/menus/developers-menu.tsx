// The developers' corner in the rail: what this app does, every developer can do.

import { NavLink } from '@mantine/core'
import { loaded } from '../../app/loaded.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import { developersIcon as Icon } from '../places.ts'
import classes from '../rail.module.css'

const Dropdown = opensLater(() => loaded(() => import('./developers-items.tsx')))

export function DevelopersMenu({ isNarrow }: { isNarrow: boolean }) {
  return (
    <Dropdown
      target={
        <NavLink
          component="button"
          className={classes.link}
          aria-label="Developers"
          label={isNarrow ? undefined : 'Developers'}
          leftSection={<Icon />}
        />
      }
    />
  )
}
