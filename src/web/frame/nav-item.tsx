// An entry of the rail and of menus of places: an icon, a name, and a count or a key at the right. A link, or with `component="button"` a button.
// Mantine's NavLink also unfolds nested entries, and weighs five times as much.

import { UnstyledButton } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import classes from './nav-item.module.css'

export interface NavItemProps extends Omit<ComponentPropsWithRef<'a'>, 'title'> {
  component?: 'a' | 'button'
  label?: ReactNode
  leftSection?: ReactNode
  rightSection?: ReactNode
  /** The place that is shown. The router marks its own links. */
  active?: boolean
  /** A long name is cut. */
  noWrap?: boolean
}

export function NavItem({ component = 'a', label, leftSection, rightSection, active, noWrap, className = '', ...others }: NavItemProps) {
  return (
    // `as`: a button has no `href`, and gets none.
    <UnstyledButton
      component={component as 'a'}
      className={`${classes.item} ${className}`}
      data-active={active || undefined}
      data-no-wrap={noWrap || undefined}
      {...others}
    >
      {leftSection && <span className={classes.left}>{leftSection}</span>}
      {label !== undefined && <span className={classes.label}>{label}</span>}
      {rightSection}
    </UnstyledButton>
  )
}
