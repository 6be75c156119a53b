// The frame of every screen, for users and guests: data, rail, banners, panel, palette.

import { lazy, type ReactNode, Suspense, useLayoutEffect, useState } from 'react'
import { Provider } from 'urql'
import { loadPart } from '../app/loaded.ts'
import { createDataClient, type DataClient } from '../data/client.ts'
import { useCaller, useOrganizationId } from '../session/caller.ts'
import { Shell } from './shell.tsx'

const ChooseOrganization = lazy(() => loadPart(() => import('../session/choose-organization.tsx')))
const Overlays = lazy(() => loadPart(() => import('./overlays.tsx')))

export function Frame() {
  const caller = useCaller()
  const organizationId = useOrganizationId()
  // After signing out, the router is about to open the sign-in page.
  if (caller.kind === 'stranger') return null
  if (caller.kind === 'user' && !organizationId)
    return (
      <Suspense>
        <ChooseOrganization />
      </Suspense>
    )
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

function DataProvider({ scope, children }: { scope: string; children: ReactNode }) {
  const [data, setData] = useState<DataClient | null>(null)
  // Runs before the browser paints, because nothing can be shown without a client.
  useLayoutEffect(() => {
    const created = createDataClient(scope)
    setData(created)
    return () => created.close()
  }, [scope])
  return data && <Provider value={data.urql}>{children}</Provider>
}
