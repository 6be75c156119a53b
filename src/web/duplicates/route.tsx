// Records that may be the same. The address holds the noun and the open pair: the record that stays, the other one, and whether a decision leads
// back to the page of the record.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { flag, id, oneOf, searchParams } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'

export const duplicatesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/duplicates',
  validateSearch: searchParams({ of: oneOf(['contacts', 'companies']), keep: id, other: id, back: flag }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'DuplicatesScreen'),
})

export const routes = [duplicatesRoute] as const
