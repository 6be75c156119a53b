// Names the filters of the address that the list does not know.

import { Alert } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { errorWords } from '../language/en/errors.ts'
import { pieceWords } from '../language/en/shared/pieces.ts'
import { dismissDropped, useDropped } from './dropped.ts'

export function DroppedFilters() {
  const dropped = useDropped()
  // Leaving the place dismisses the notice.
  useEffect(() => () => dismissDropped(dropped), [dropped])
  if (dropped.length === 0) return null
  return (
    <Alert
      color="amber"
      icon={<IconFilterOff />}
      withCloseButton
      closeButtonLabel={errorWords.dismiss}
      onClose={() => dismissDropped(dropped)}
      radius={0}
    >
      {pieceWords.dropped} {dropped.join('; ')}
    </Alert>
  )
}
