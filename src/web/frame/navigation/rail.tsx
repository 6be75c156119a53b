// The rail: organization, search and places, and at the bottom developers, settings and the person.

import { ActionIcon, Divider } from '@mantine/core'
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { Keys } from '../../keyboard/keys.tsx'
import { frameWords } from '../../language/en/frame.ts'
import { opensLater } from '../../pieces/opens-later.tsx'
import { NavItem } from '../nav-item.tsx'
import { NavLinkTo } from '../nav-link-to.tsx'
import { OrganizationMenu } from './organization-menu.tsx'
import { PersonMenu } from './person-menu.tsx'
import { enrichmentPlaces, developersIcon as Icon, lastPlaces, morePlaces, places } from './places.ts'
import classes from './rail.module.css'
import { useWaiting, type Waiting } from './use-waiting.ts'
import { WaitingCount } from './waiting.tsx'

const RailTooltip = lazy(() => loadPart(() => import('./rail-tooltip.tsx')))

interface RailProps {
  isNarrow: boolean
  onFold(): void
  onSearch(): void
}

type Place = (typeof places)[number]

export function Rail({ isNarrow, onFold, onSearch }: RailProps) {
  const waiting = useWaiting()
  const fold = isNarrow ? frameWords.unfold : frameWords.fold
  const link = (place: Place) => <PlaceLink key={place.to} place={place} isNarrow={isNarrow} waiting={waiting[place.to]} />
  return (
    <>
      <div className={classes.top} data-narrow={isNarrow || undefined}>
        <OrganizationMenu isNarrow={isNarrow} />
        <ActionIcon aria-label={fold} title={fold} onClick={onFold}>
          <IconLayoutSidebar />
        </ActionIcon>
      </div>
      <div className={classes.places}>
        <RailItem label={frameWords.search} isNarrow={isNarrow}>
          <NavItem
            component="button"
            className={classes.link}
            label={isNarrow ? undefined : frameWords.search}
            aria-label={isNarrow ? frameWords.search : undefined}
            leftSection={<IconSearch />}
            rightSection={isNarrow ? undefined : <Keys keys="mod+K" />}
            onClick={onSearch}
          />
        </RailItem>
        {places.map(link)}
        {isNarrow ? <Divider my="xs" /> : <div className={classes.group}>{frameWords.enrichment}</div>}
        {enrichmentPlaces.map(link)}
        <Divider my="xs" className={classes.divider} />
        {morePlaces.map(link)}
      </div>
      <div className={classes.bottom}>
        <DevelopersMenu isNarrow={isNarrow} />
        {lastPlaces.map(link)}
        <PersonMenu isNarrow={isNarrow} />
      </div>
    </>
  )
}

interface PlaceLinkProps {
  place: Place
  isNarrow: boolean
  waiting: Waiting | undefined
}

function PlaceLink({ place: { to, label, icon: Icon }, isNarrow, waiting }: PlaceLinkProps) {
  const name = waiting === undefined ? label : `${label}, ${waiting.words}`
  return (
    <RailItem label={name} isNarrow={isNarrow}>
      <NavLinkTo
        to={to}
        className={classes.link}
        label={isNarrow ? undefined : label}
        aria-label={isNarrow ? name : undefined}
        leftSection={<Icon />}
        rightSection={isNarrow ? undefined : <WaitingCount waiting={waiting} />}
      />
    </RailItem>
  )
}

interface RailItemProps {
  label: string
  isNarrow: boolean
  children: React.JSX.Element
}

function RailItem({ label, isNarrow, children }: RailItemProps) {
  // The unfolded rail shows the names, and needs no tooltips.
  return isNarrow ? (
    <Suspense fallback={children}>
      <RailTooltip label={label}>{children}</RailTooltip>
    </Suspense>
  ) : (
    children
  )
}

const Dropdown = opensLater(() => loadPart(() => import('./developers-items.tsx')))

function DevelopersMenu({ isNarrow }: { isNarrow: boolean }) {
  return (
    <Dropdown
      target={
        <NavItem
          component="button"
          className={classes.link}
          aria-label={frameWords.developers}
          label={isNarrow ? undefined : frameWords.developers}
          leftSection={<Icon />}
        />
      }
    />
  )
}
