// Banners above every screen: about the person, and that the server cannot be reached.

import { Group, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { loadPart } from '../app/loaded.ts'
import { frameWords } from '../language/en/frame.ts'
import { useIsAway } from '../live/connectivity.ts'
import { useCaller } from '../session/caller.ts'
import { useMe } from '../session/use-me.ts'
import classes from './banners.module.css'

const CallerBanners = lazy(() => loadPart(() => import('./caller-banners.tsx')))

export function Banners() {
  const isGuest = useCaller().kind === 'guest'
  const isAway = useIsAway()
  const { me, organization } = useMe()
  return (
    <>
      {(isGuest || organization?.role === 'VIEWER' || me?.ownershipOffers[0]) && (
        <Suspense>
          <CallerBanners />
        </Suspense>
      )}
      {/* Loaded with the frame: while the server is away, nothing can be loaded. */}
      {isAway && (
        <Group className={classes.away} role="status" gap="xs">
          <IconCloudOff aria-hidden />
          <Text size="sm">{frameWords.away}</Text>
        </Group>
      )}
    </>
  )
}
