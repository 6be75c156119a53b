// A part of a page or a panel, with its title.

import { Box, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PartProps {
  title: string
  /** 3 in a panel, whose title is a heading too. */
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
