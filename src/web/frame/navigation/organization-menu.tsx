// The organization switcher at the top of the rail. It also opens its settings.

import { Skeleton } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { loadPart } from '../../app/loaded.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import { useMe } from '../../session/use-me.ts'
import { NavItem } from '../nav-item.tsx'
import { Mark } from './mark.tsx'
import classes from './rail.module.css'

const Dropdown = opensLater(() => loadPart(() => import('./organization-items.tsx')))

export function OrganizationMenu({ isNarrow }: { isNarrow: boolean }) {
  const { organization, isGuest } = useMe()
  if (!organization) return <Skeleton height={32} width={isNarrow ? 32 : 160} />
  const name = (
    <NavItem
      component="button"
      className={classes.link}
      aria-label={isNarrow ? organization.name : undefined}
      label={isNarrow ? undefined : organization.name}
      style={{ fontWeight: 600 }}
      leftSection={<Mark name={organization.name} />}
      rightSection={!isGuest && !isNarrow ? <IconSelector /> : undefined}
      noWrap
    />
  )
  return isGuest ? name : <Dropdown target={name} />
}
