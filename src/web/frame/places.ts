// The places of the app, in the order of the rail.

import {
  IconAddressBook,
  IconBook2,
  IconCode,
  IconCoins,
  IconHome,
  IconInbox,
  IconListCheck,
  IconPhone,
  IconRobot,
  IconRoute,
  IconSettings,
  IconStack2,
} from '@tabler/icons-react'

export const places = [
  { to: '/home', label: 'Home', icon: IconHome },
  { to: '/contacts', label: 'Contacts', icon: IconAddressBook },
  { to: '/tasks', label: 'Tasks', icon: IconListCheck },
  { to: '/calls', label: 'Calls', icon: IconPhone },
  { to: '/agents', label: 'Agents', icon: IconRobot },
] as const

export const enrichmentPlaces = [
  { to: '/suggestions', label: 'Suggestions', icon: IconInbox },
  { to: '/jobs', label: 'Jobs', icon: IconStack2 },
  { to: '/recipes', label: 'Recipes', icon: IconBook2 },
] as const

export const morePlaces = [
  { to: '/gateway', label: 'Gateway', icon: IconRoute },
  { to: '/credits', label: 'Credits', icon: IconCoins },
] as const

export const lastPlaces = [{ to: '/settings', label: 'Settings', icon: IconSettings }] as const

// Pages of the server, outside of the app.
export const developerPages = [
  { href: '/graphql', label: 'GraphiQL' },
  { href: '/docs', label: 'API reference' },
] as const

export const developersIcon = IconCode

/** The four that the bottom bar of a phone shows beside "More". */
export const barPlaces = [places[0], places[1], places[2], places[3]] as const
