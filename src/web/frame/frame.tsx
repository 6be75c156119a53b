// What is around every screen of somebody who is signed in or looks around: data, rail, banners, panel, palette.

import { lazy, Suspense } from 'react'
import { loaded } from '../app/loaded.ts'
import { DataProvider } from '../data/provider.tsx'
import { useCaller, useOrganizationId } from '../session/caller.ts'
import { ChooseOrganization } from '../session/choose-organization.tsx'
import { Shell } from './shell.tsx'

const Overlays = lazy(() => loaded(() => import('./overlays.tsx')))

export function Frame() {
  const caller = useCaller()
  const organizationId = useOrganizationId()
  // Signed out a moment ago: the router is on its way to the sign-in page.
  if (caller.kind === 'stranger') return null
  if (caller.kind === 'user' && !organizationId) return <ChooseOrganization />
  const scope = caller.kind === 'user' ? `${caller.userId} ${organizationId}` : caller.guestId
  return (
    <DataProvider key={scope} scope={scope}>
      <Shell />
      <Suspense>
        <Overlays />
      </Suspense>
    </DataProvider>
  )
}
