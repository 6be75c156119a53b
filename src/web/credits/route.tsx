// Credits. The address holds the tab, the range of days for usage, and the types of ledger entries.

import { IconCoins } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, searchParams, someOf } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { ageSortValues, creditTransactionTypeValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/credits', label: frameWords.places.credits, icon: IconCoins, group: 'more', order: 2 } as const

export const creditsRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/credits',
  validateSearch: searchParams({
    tab: oneOf(['ledger']),
    days: oneOf(['7', '90', '365']),
    type: someOf(creditTransactionTypeValues),
    sort: oneOf(ageSortValues),
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'CreditsScreen'),
})

export const routes = [creditsRoute] as const
