// The frame of pages before and beside the app: the name at the top, and below it a narrow column with a title and actions.

import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { linkTo } from '../address/go.ts'
import icon from '../app/icon.svg'
import { startWords } from '../language/en/shared/start.ts'
import classes from './gate.module.css'

interface GateProps {
  title: string
  sentence?: ReactNode
  children?: ReactNode
}

export function Gate({ title, sentence, children }: GateProps) {
  useDocumentTitle(`${title} · Rolocom`)
  return (
    <Box className={classes.page}>
      <header className={classes.top}>
        <Brand />
      </header>
      <Stack component="main" gap="lg" className={classes.main}>
        <Stack gap={4}>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {sentence && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {sentence}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </Box>
  )
}

/** The name and mark of the product, with a link to the page at /. */
export function Brand() {
  return (
    <Anchor {...linkTo('/')} c="inherit" underline="never">
      <Group gap="xs">
        <Box component="img" src={icon} alt="" w={24} h={24} />
        <Text span fw={600}>
          Rolocom
        </Text>
      </Group>
    </Anchor>
  )
}

/** A hint for people who write programs. */
export const ReferenceLine = () => (
  <Text size="sm" c="dimmed">
    {startWords.alsoByApi}{' '}
    <Anchor href="/docs" underline="always">
      {startWords.readReference}
    </Anchor>
  </Text>
)
