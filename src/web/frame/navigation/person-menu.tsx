// The person at the bottom of the rail, with a menu for the colour scheme and signing out.

import { Avatar, VisuallyHidden } from '@mantine/core'
import { loadPart } from '../../app/loaded.ts'
import { frameWords } from '../../language/en/frame.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import { useMe } from '../../session/use-me.ts'
import { NavItem } from '../nav-item.tsx'
import classes from './rail.module.css'

const Dropdown = opensLater(() => loadPart(() => import('./person-items.tsx')))

export function PersonMenu({ isNarrow }: { isNarrow: boolean }) {
  const { me, isGuest } = useMe()
  const name = isGuest ? frameWords.guest : (me?.name ?? me?.email ?? frameWords.you)
  return (
    <Dropdown
      target={
        <NavItem
          component="button"
          className={classes.link}
          // A hidden text, not a label: the initials beside it are no part of the name.
          label={isNarrow ? <VisuallyHidden>{name}</VisuallyHidden> : name}
          leftSection={<Avatar size={18} mx={-1} name={name} color="gray" aria-hidden />}
          noWrap
        />
      }
    />
  )
}
