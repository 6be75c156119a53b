// The pieces of a section: its title and purpose, and its rows.

import { Box, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Failure } from '../data/failure.ts'
import type { Read } from '../data/use-read.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Late } from '../pieces/states/late-skeleton.tsx'
import classes from './settings.module.css'

interface SectionProps {
  title: string
  /** Whether the title is an address or a key, in a monospaced font. */
  isMono?: boolean
  sentence?: ReactNode
  /** The primary action, at the right of the title. */
  action?: ReactNode
  /** The query of the content. A skeleton of `height` pixels stands in for the content until it is read. */
  read?: Read
  height?: number
  /** The failure of a write in this section. */
  failure?: Failure | null
  children?: ReactNode
}

export function Section({ title, isMono = false, sentence, action, read, height, failure, children }: SectionProps) {
  const problem = read?.failure ?? failure
  return (
    <Stack component="section" gap="md" className={classes.section}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 280px" miw={0}>
          <Title order={2} size="h3" ff={isMono ? 'monospace' : undefined} className={classes.title}>
            {title}
          </Title>
          {sentence && (
            <Text size="sm" c="dimmed">
              {sentence}
            </Text>
          )}
        </Box>
        {action}
      </Group>
      {problem && <ErrorNotice failure={problem} onRetry={read?.failure ? read.reread : undefined} />}
      {height && read && !read.data && !read.failure && (
        <Late>
          <Skeleton height={height} />
        </Late>
      )}
      {children}
    </Stack>
  )
}

export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.rows} aria-label={label}>
    {children}
  </ul>
)

interface RowProps {
  mark?: ReactNode
  name: ReactNode
  /** Facts below the name, side by side. */
  facts?: ReactNode
  actions?: ReactNode
  /** Whether the row is out of use: revoked or removed. */
  isQuiet?: boolean
}

export const Row = ({ mark, name, facts, actions, isQuiet = false }: RowProps) => (
  <li className={classes.row}>
    {mark}
    <div className={classes.words}>
      <Text component="div" fw={500} className={`${classes.name} ${isQuiet ? classes.quiet : ''}`}>
        {name}
      </Text>
      {facts && (
        <Text component="div" size="sm" c="dimmed" className={classes.facts}>
          {facts}
        </Text>
      )}
    </div>
    {actions}
  </li>
)
