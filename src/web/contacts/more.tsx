// The button for what is done with contacts beside the list.

import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { loaded } from '../app/loaded.ts'
import { opensLater } from '../pieces/opens-later.tsx'
import type { MoreActionsProps } from './more-items.tsx'

const Dropdown = opensLater(() => loaded(() => import('./more-items.tsx')))

export function MoreActions(props: MoreActionsProps) {
  return (
    <Dropdown
      {...props}
      target={
        <ActionIcon aria-label="More for contacts">
          <IconDots />
        </ActionIcon>
      }
    />
  )
}
