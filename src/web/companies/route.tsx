// The list of companies. The address holds search, filters, order, the saved view, and whether the form is open.

import { IconBuilding } from '@tabler/icons-react'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { flag, id, oneOf, searchParams, text, texts } from '../address/params.ts'
import { loadPart } from '../app/loaded.ts'
import { frameRoute } from '../app/root-route.tsx'
import { companySortValues } from '../generated/schema.ts'
import { frameWords } from '../language/en/frame.ts'

export const place = { to: '/companies', label: frameWords.places.companies, icon: IconBuilding, group: 'main', order: 2.5 } as const

export const companiesRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/companies',
  validateSearch: searchParams({
    ...{ q: text(), owner: texts(), tag: texts(), country: texts(), deleted: flag },
    ...{ sort: oneOf(companySortValues), view: id, new: flag },
  }),
  component: lazyRouteComponent(() => loadPart(() => import('./screen.tsx')), 'CompaniesScreen'),
})

export const routes = [companiesRoute] as const
