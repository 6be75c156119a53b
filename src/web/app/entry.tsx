// Begins the app: styles, the nonce for those that are made later, providers, the first page.

import '@mantine/core/styles.layer.css'
import '@fontsource-variable/inter/wght.css'
import './base.css'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { leaveComposingKeys } from '../keyboard/composing.ts'
import { App } from './app.tsx'
import { reloadForNewRelease } from './new-release.ts'
import { pageNonce } from './nonce.ts'

// The scroll lock of modals makes a style element: it reads the nonce from here.
setNonce(pageNonce)
reloadForNewRelease()
leaveComposingKeys()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(<App />)
