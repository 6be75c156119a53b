// The count beside a place in the navigation.

import { Text, VisuallyHidden } from '@mantine/core'

export const Waiting = ({ count }: { count: number | undefined }) =>
  count === undefined ? null : (
    <Text span size="xs" c="dimmed">
      {count.toLocaleString()}
      <VisuallyHidden> waiting</VisuallyHidden>
    </Text>
  )
