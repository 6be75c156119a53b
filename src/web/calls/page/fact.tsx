// A fact of a call: its label and its value.

import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './screen.module.css'

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <Text size="sm" c="dimmed" component="dt">
        {label}
      </Text>
      <Text size="sm" component="dd" dir="auto">
        {children}
      </Text>
    </div>
  )
}
