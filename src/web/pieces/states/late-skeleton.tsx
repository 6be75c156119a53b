// Skeletons of the final shape, after 150 ms: what comes sooner never flickers.

import { Skeleton, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'

// Below it an answer feels immediate, and a skeleton would be seen as a flash.
const patienceMs = 150

/** Shows its children once they have been waited for long enough. */
export function Late({ children }: { children: ReactNode }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate ? children : null
}

/** Lines of one height, for what has no shape of its own. */
export function LateSkeleton({ height = 20, count = 3 }: { height?: number; count?: number }) {
  return (
    <Late>
      <Stack gap="xs" role="status" aria-busy="true" aria-label="Loading">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
          <Skeleton key={index} height={height} />
        ))}
      </Stack>
    </Late>
  )
}
