// The queue of suggestions. The address holds the filter and the shown suggestion.

import { IconInbox } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { id, oneOf, searchParams, text } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/suggestions', label: frameWords.places.suggestions, icon: IconInbox, group: 'enrichment', order: 1 } as const

export const suggestionsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/suggestions',
  validateSearch: searchParams({ field: text(), sure: oneOf(['50', '70', '80', '90']), contact: id, job: id, call: id, open: id }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'SuggestionsScreen'),
})

export const routes = [suggestionsRoute] as const
