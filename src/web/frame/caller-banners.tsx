// Banners about the person: a guest, a viewer, or somebody who is asked to become an owner. They are loaded for these people alone.

import { Anchor, Group, Text } from '@mantine/core'
import { IconEye, IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { linkTo } from '../address/go.ts'
import { peopleWords } from '../language/en/people.ts'
import { laterWords } from '../language/en/shared/later.ts'
import { forgetCaller, useCaller } from '../session/caller.ts'
import { useMe } from '../session/use-me.ts'
import classes from './banners.module.css'

export default function CallerBanners() {
  const { me, organization } = useMe()
  const isGuest = useCaller().kind === 'guest'
  const offer = me?.ownershipOffers[0]
  const words = laterWords.banners
  return (
    <>
      {isGuest && (
        <Banner icon={<IconEye aria-hidden />}>
          <Text size="sm" className={classes.sentence}>
            {words.guest}{' '}
            <Anchor {...linkTo('/sign-in?mode=sign-up', forgetCaller)} inherit fw={500}>
              {peopleWords.signUp}
            </Anchor>
          </Text>
        </Banner>
      )}
      {organization?.role === 'VIEWER' && (
        <Banner icon={<IconEye aria-hidden />}>
          <Text size="sm">{words.viewer(organization.name)}</Text>
        </Banner>
      )}
      {offer && (
        <Banner icon={<IconKey aria-hidden />}>
          <Text size="sm">{words.offer(offer.organization?.name ?? null)}</Text>
          <Anchor {...linkTo('/settings/members')} size="sm" fw={500}>
            {words.answer}
          </Anchor>
        </Banner>
      )}
    </>
  )
}

const Banner = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <Group className={classes.guest} role="note" gap="xs">
    {icon}
    {children}
  </Group>
)
