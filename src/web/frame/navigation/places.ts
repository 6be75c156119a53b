// The places of the app in the order of the rail. Each route.tsx declares its place.

import { IconCode } from '@tabler/icons-react'
import { places as all } from '../../generated/places.ts'

type Group = (typeof all)[number]['group']

const placesOf = (group: Group) => all.filter(place => place.group === group).toSorted((a, b) => a.order - b.order)

export const places = placesOf('main')
export const enrichmentPlaces = placesOf('enrichment')
export const morePlaces = placesOf('more')
export const lastPlaces = placesOf('last')

// Pages of the server, outside of the app.
export const developerPages = [
  { href: '/graphql', label: 'GraphiQL' },
  { href: '/docs', label: 'API reference' },
] as const

export const developersIcon = IconCode

const inBar: ReadonlySet<string> = new Set(['/home', '/inbox', '/contacts', '/tasks'])

/** The four places in the bottom bar of a phone; "More" has the others. */
export const barPlaces = places.filter(({ to }) => inBar.has(to))
export const placesBesideBar = places.filter(({ to }) => !inBar.has(to))
