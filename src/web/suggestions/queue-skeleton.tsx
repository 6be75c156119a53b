// The queue's shape while its first page is read.

import { Skeleton, Stack } from '@mantine/core'
import { Late } from '../pieces/late-skeleton.tsx'
import classes from './queue.module.css'

export function QueueSkeleton() {
  return (
    <Late>
      <div className={classes.queue} aria-busy="true">
        <div className={classes.middle}>
          <Skeleton height={360} radius="md" />
          <Skeleton height={108} radius="md" />
        </div>
        <Stack className={classes.aside} gap="sm">
          <Skeleton height={20} width={160} />
          <Skeleton height={180} />
        </Stack>
      </div>
    </Late>
  )
}
