// The main actions of a page: in its header, and on a phone at its end, where the thumb is.

import { Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { frameWords } from '../language/en/frame.ts'
import classes from './actions.module.css'

/** Whether a page shows its actions below. */
export const useIsActionsBelow = (): boolean => useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false

/** The last child of a screen. It stays in sight while the screen scrolls. */
export function ActionsBelow({ children }: { children: ReactNode }) {
  return (
    <Group className={classes.below} role="group" aria-label={frameWords.actions} data-bottom-bar gap="xs" grow>
      {children}
    </Group>
  )
}
