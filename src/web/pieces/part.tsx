// A titled part of a page or a panel.

import { Box, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PartProps {
  title: string
  /** The level of the title: 3 in a panel, because the panel's title is a heading too. */
  order?: 2 | 3
  sentence?: ReactNode
  children?: ReactNode
}

export const Part = ({ title, order = 2, sentence, children }: PartProps) => (
  <Box component="section">
    <Title order={order} size="h4" mb={4}>
      {title}
    </Title>
    {sentence && (
      <Text size="sm" c="dimmed" mb="xs">
        {sentence}
      </Text>
    )}
    {children}
  </Box>
)
