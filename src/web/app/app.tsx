// The providers that every page needs, the sign-in included: nothing here may load what only the app behind it needs.

import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { Announcements } from '../keyboard/announce.tsx'
import { CurrentPage } from './current-page.tsx'
import { pageNonce } from './nonce.ts'
import { colorSchemeManager, theme, variables } from './theme.ts'

export function App() {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        getStyleNonce={() => pageNonce}
      >
        <CurrentPage />
        <Announcements />
      </MantineProvider>
    </StrictMode>
  )
}
