// The first line of a screen: the title, views beside it, and actions at the right.

import { Group, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import { announce } from '../keyboard/announce.tsx'
import { tableWords } from '../language/en/frame.ts'
import { countText, type Plural } from '../language/format.ts'
import classes from './header.module.css'

interface HeaderProps {
  title: string
  /** Beside the title: saved views, a count or a status. */
  views?: ReactNode
  /** At the right; the primary action comes last. */
  actions?: ReactNode
}

export function Header({ title, views, actions }: HeaderProps) {
  useDocumentTitle(`${title} · Rolocom`)
  useEffect(() => announce(title), [title])
  return (
    <Group component="header" className={classes.header} wrap="nowrap">
      <Title order={1} size="h3" className={classes.title}>
        {title}
      </Title>
      {views}
      {actions && (
        <Group gap="xs" ml="auto" wrap="nowrap">
          {actions}
        </Group>
      )}
    </Group>
  )
}

/** The line below the header: filters as chips at the left, sort and columns at the right. */
export function Toolbar({ children }: { children: ReactNode }) {
  return (
    <Group className={classes.toolbar} role="toolbar" aria-label={tableWords.filters} gap="xs">
      {children}
    </Group>
  )
}

/** At the end of the toolbar: the number of matching rows. */
export const Total = ({ count, nouns }: { count: number | null | undefined; nouns: Plural }) =>
  count != null && (
    <Text size="xs" c="dimmed" ml="auto">
      {countText(count, nouns)}
    </Text>
  )
