// The list of contacts. The address holds search, filters, order, the saved view, and the contact or the form in the panel.

import { IconAddressBook } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { flag, id, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { frameWords } from '../language/en/frame.ts'
import { filterParams, sortParam } from './filters/search.ts'

export const place = { to: '/contacts', label: frameWords.places.contacts, icon: IconAddressBook, group: 'main', order: 2 } as const

export const contactsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/contacts',
  validateSearch: searchParams({ ...filterParams, sort: sortParam, view: id, open: id, new: flag }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'ContactsScreen'),
})

export const routes = [contactsRoute] as const
