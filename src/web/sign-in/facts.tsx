// Names and values of a request, one below the other, which the person agrees to.

import { Box, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './facts.module.css'

export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <Stack component="dl" gap="sm" m={0} className={classes.facts}>
      {facts.map(([label, value]) => (
        <Box key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} className={classes.value}>
            {value}
          </Text>
        </Box>
      ))}
    </Stack>
  )
}
