// A list of related records beside a timeline, with its title and count.

import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { numberText } from '../language/format.ts'
import classes from './related.module.css'

interface RelatedProps {
  id: string
  title: string
  count: number | null
  /** The words of an empty list. */
  none: string
  children: ReactNode
}

export function Related({ id, title, count, none, children }: RelatedProps) {
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Group gap={6} mb={4}>
        <Text component="h2" size="sm" fw={600} id={id}>
          {title}
        </Text>
        <Text size="sm" c="dimmed" component="span">
          {count ? numberText(count) : none}
        </Text>
      </Group>
      {children}
    </section>
  )
}
