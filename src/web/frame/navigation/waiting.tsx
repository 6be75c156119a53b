// The count beside a place in the navigation.

import { Text, VisuallyHidden } from '@mantine/core'
import { numberText } from '../../language/format.ts'
import type { Waiting } from './use-waiting.ts'

export const WaitingCount = ({ waiting }: { waiting: Waiting | undefined }) =>
  waiting === undefined ? null : (
    <Text span size="xs" c="dimmed">
      <span aria-hidden="true">{numberText(waiting.count)}</span>
      <VisuallyHidden>{waiting.words}</VisuallyHidden>
    </Text>
  )
