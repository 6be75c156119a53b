// The figure of a widget, in words, above what it is made of; and the sentence of a widget without data.

import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DashboardWidgetKind } from '../generated/schema.ts'
import { homeWords } from '../language/en/home.ts'
import classes from './home.module.css'

export function Figures({ number, words: said, children }: { number: string; words: string; children: ReactNode }) {
  return (
    <>
      <p className={classes.figure}>
        <span className={classes.number}>{number}</span> <span className={classes.said}>{said}</span>
      </p>
      {children}
    </>
  )
}

/** Says what will fill a widget without data. */
export const Nothing = ({ kind }: { kind: DashboardWidgetKind }) => (
  <Text size="sm" c="dimmed" py="lg">
    {homeWords.fills[kind]}
  </Text>
)
