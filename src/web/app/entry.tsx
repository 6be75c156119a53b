// Begins the app: styles, the nonce for those that are made later, providers, the first page.

import '@mantine/core/styles.layer.css'
import '@fontsource-variable/inter/wght.css'
import './base.css'
import { MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Announcements } from '../keyboard/announce.tsx'
import { leaveComposingKeys } from '../keyboard/composing.ts'
import { CurrentPage } from './current-page.tsx'
import { reloadForNewRelease } from './new-release.ts'
import { pageNonce } from './nonce.ts'
import { colorSchemeManager, theme, variables } from './theme.ts'

// The scroll lock of modals makes a style element: it reads the nonce from here.
setNonce(pageNonce)
reloadForNewRelease()
leaveComposingKeys()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(<App />)

/** The providers that every page needs, the sign-in included: nothing here may load what only the app behind it needs. */
function App() {
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
