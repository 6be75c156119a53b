// Banners above every screen: the person is a guest, a viewer, or cannot reach the server.

import { Anchor, Group, Text } from '@mantine/core'
import { IconCloudOff, IconEye, IconKey } from '@tabler/icons-react'
import { linkTo } from '../address/go.ts'
import { useIsAway } from '../live/connectivity.ts'
import { forgetCaller, useCaller } from '../session/caller.ts'
import { useMe } from '../session/use-me.ts'
import classes from './banners.module.css'

export function Banners() {
  const caller = useCaller()
  const isAway = useIsAway()
  const { me, organization } = useMe()
  return (
    <>
      {caller.kind === 'guest' && (
        <Group className={classes.guest} role="note" gap="xs">
          <IconEye aria-hidden />
          <Text size="sm" className={classes.sentence}>
            You look around a demo as a guest. You cannot change anything.{' '}
            <Anchor {...linkTo('/sign-in?mode=sign-up', forgetCaller)} inherit fw={500}>
              Sign up
            </Anchor>
          </Text>
        </Group>
      )}
      {caller.kind === 'user' && organization?.role === 'VIEWER' && (
        <Group className={classes.guest} role="note" gap="xs">
          <IconEye aria-hidden />
          <Text size="sm">
            You are a viewer of {organization.name}: you read everything and change nothing. An admin can let you write.
          </Text>
        </Group>
      )}
      {caller.kind === 'user' && me?.ownershipOffers[0] && (
        <Group className={classes.guest} role="note" gap="xs">
          <IconKey aria-hidden />
          <Text size="sm">You are asked to become an owner of {me.ownershipOffers[0].organization?.name ?? 'an organization'}.</Text>
          <Anchor {...linkTo('/settings/members')} size="sm" fw={500}>
            Answer
          </Anchor>
        </Group>
      )}
      {isAway && (
        <Group className={classes.away} role="status" gap="xs">
          <IconCloudOff aria-hidden />
          <Text size="sm">The server cannot be reached. You see what was read last; changes wait until it is back.</Text>
        </Group>
      )}
    </>
  )
}
