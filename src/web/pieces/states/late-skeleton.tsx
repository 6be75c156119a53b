// Skeletons in the shape of the content. They appear after 150 ms, so that quick answers do not flicker.

import { Skeleton, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { startWords } from '../../language/en/shared/start.ts'

// A faster answer feels immediate, and a skeleton before it would flash.
const patienceMs = 150

/** Shows its children after the delay. */
export function Late({ children }: { children: ReactNode }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate ? children : null
}

/** Lines of one height, for content without a known shape. */
export function LateSkeleton({ height = 20, count = 3 }: { height?: number; count?: number }) {
  return (
    <Late>
      <Stack gap="xs" role="status" aria-busy="true" aria-label={startWords.loading}>
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all lines are the same.
          <Skeleton key={index} height={height} />
        ))}
      </Stack>
    </Late>
  )
}
