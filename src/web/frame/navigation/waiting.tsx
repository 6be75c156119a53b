// The count beside a place in the navigation.

import { Text, VisuallyHidden } from '@mantine/core'
import { frameWords } from '../../language/en/frame.ts'
import { numberText } from '../../language/format.ts'

export const Waiting = ({ count }: { count: number | undefined }) =>
  count === undefined ? null : (
    <Text span size="xs" c="dimmed">
      <span aria-hidden="true">{numberText(count)}</span>
      <VisuallyHidden>{frameWords.waiting(numberText(count))}</VisuallyHidden>
    </Text>
  )
