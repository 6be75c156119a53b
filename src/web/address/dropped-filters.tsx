// Names the filters of the address that the list does not know.

import { Alert } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useEffect } from 'react'
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
      closeButtonLabel="Dismiss"
      onClose={() => dismissDropped(dropped)}
      radius={0}
    >
      Some filters of the address were left out, because this list does not know them: {dropped.join('; ')}
    </Alert>
  )
}
