// The providers that every page needs, the sign-in included: nothing here may load what only the app behind it needs.

import { MantineProvider } from '@mantine/core'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect } from 'react'
import { Announcements } from '../keyboard/announce.tsx'
import { subscribeToCaller } from '../session/caller.ts'
import { pageNonce } from './nonce.ts'
import { router } from './router.tsx'
import { colorSchemeManager, theme, variables } from './theme.ts'

export function App() {
  // Signed in or out, here or in another tab: the routes decide again who may be where.
  useEffect(() => subscribeToCaller(() => void router.invalidate()), [])
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        getStyleNonce={() => pageNonce}
      >
        <RouterProvider router={router} />
        <Announcements />
      </MantineProvider>
    </StrictMode>
  )
}
