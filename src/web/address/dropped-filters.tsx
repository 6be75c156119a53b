// Names the filters of the address that were not understood.

import { Alert } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { dismissDropped, useDropped } from './dropped.ts'

export function DroppedFilters() {
  const dropped = useDropped()
  // Left for another place: they are said once.
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
      The address asks for what this list does not know, so it was left out: {dropped.join('; ')}
    </Alert>
  )
}
