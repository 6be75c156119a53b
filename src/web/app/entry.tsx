// Starts the app: styles, the nonce for later styles, providers, the first page.

import { loadLanguage } from '../language/language.ts'
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

// The scroll lock of modals creates a style element, and reads the nonce from here.
setNonce(pageNonce)
reloadForNewRelease()
leaveComposingKeys()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const page = createRoot(root)
void loadLanguage().then(() => page.render(<App />))

/** The providers of every page, the sign-in page included. Nothing here may import a module that only the app needs. */
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
