// Stands in for content that is not read yet: a skeleton, or the failure.

import { Box } from '@mantine/core'
import type { Read } from '../../data/use-read.ts'
import { Header } from '../../frame/header.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { LateSkeleton } from './late-skeleton.tsx'
import { type MissingNoun, NotFound } from './not-found.tsx'

interface UnreadProps {
  read: Read
  /** The height of a skeleton's line. */
  height?: number
  count?: number
}

export const Unread = ({ read: { failure, reread }, height = 32, count = 6 }: UnreadProps) =>
  failure ? <ErrorNotice failure={failure} onRetry={reread} /> : <LateSkeleton height={height} count={count} />

/** For the page of one object, such as a "call". */
export function UnreadPage({ noun, title, ...unread }: UnreadProps & { noun: MissingNoun; title: string }) {
  const code = unread.read.failure?.code
  // A malformed id is treated like an unknown one.
  if (code === 'NOT_FOUND' || code === 'INVALID') return <NotFound noun={noun} />
  return (
    <>
      {!code && <Header title={title} />}
      <Box p="md">
        <Unread {...unread} />
      </Box>
    </>
  )
}
