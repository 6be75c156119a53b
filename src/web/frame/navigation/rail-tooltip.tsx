// Shows the names of places in the folded rail.

import { Tooltip } from '@mantine/core'
import type { JSX } from 'react'

export default function RailTooltip({ label, children }: { label: string; children: JSX.Element }) {
  return (
    <Tooltip label={label} position="right" openDelay={100}>
      {children}
    </Tooltip>
  )
}
