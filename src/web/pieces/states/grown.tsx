// A list that grows by a button. It shows a skeleton, a failure, a sentence when it is empty, or its rows and the button.

import { Box, Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Connection } from '../../data/use-connection.ts'
import { laterWords } from '../../language/en/shared/later.ts'
import { ErrorNotice } from './error-notice.tsx'
import { LateSkeleton } from './late-skeleton.tsx'

interface GrownProps {
  list: Connection<unknown>
  /** The height of a skeleton's line. */
  height: number
  count?: number
  /** The sentence for a list without rows. */
  empty: string
  more?: string
  children: ReactNode
}

export function Grown({ list, height, count = 4, empty, more = laterWords.showMore, children }: GrownProps) {
  const { isLoading, failure, rows, hasMore, isLoadingMore, loadMore, refresh } = list
  return (
    <>
      {isLoading && <LateSkeleton height={height} count={count} />}
      {failure && <ErrorNotice failure={failure} onRetry={refresh} />}
      {!isLoading && !failure && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {children}
      {hasMore && !isLoading && (
        <Box>
          <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
            {more}
          </Button>
        </Box>
      )}
    </>
  )
}
