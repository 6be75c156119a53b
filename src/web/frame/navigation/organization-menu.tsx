// The organization switcher at the top of the rail. A person with only one organization sees its name.

import { NavLink, Skeleton } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { loadPart } from '../../app/loaded.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import { useMe } from '../../session/use-me.ts'
import { Mark } from './mark.tsx'
import classes from './rail.module.css'

const Dropdown = opensLater(() => loadPart(() => import('./organization-items.tsx')))

export function OrganizationMenu({ isNarrow }: { isNarrow: boolean }) {
  const { me, organization } = useMe()
  if (!organization) return <Skeleton height={32} width={isNarrow ? 32 : 160} />
  const several = (me?.organizations.length ?? 0) > 1
  const name = (
    <NavLink
      component="button"
      className={classes.link}
      aria-label={isNarrow ? organization.name : undefined}
      label={isNarrow ? undefined : organization.name}
      fw={600}
      leftSection={<Mark name={organization.name} />}
      rightSection={several && !isNarrow ? <IconSelector /> : undefined}
      noWrap
    />
  )
  return several ? <Dropdown target={name} /> : name
}
