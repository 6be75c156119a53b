// Builds the app into dist/web: hashed assets, a manifest, and a page whose tags carry the placeholder of the server's nonce.

import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname
// Where `vite dev` sends what is not a file of the app: a server started with `npm start`.
const server = 'http://127.0.0.1:4000'

// What every page loads, and what most screens behind the sign-in load besides, each in one piece: it compresses better than in twenty.
// What only the frame uses, such as the cache and AppShell, stays with the frame: a screen does not wait for it.
const parts = (names: string) => `@mantine/core/esm/components/(${names})/`
const everywhere = new RegExp(
  `node_modules/((react|react-dom|scheduler|use-sync-external-store|clsx)/|@tanstack/(history|router-core|react-router|store|react-store)/|@mantine/core/esm/core/|${parts('Alert|Anchor|Button|Center|CloseButton|Group|Input|InputBase|Loader|Stack|Text|TextInput|Title|Transition|UnstyledButton')})`,
)
// The links of menus too: in a chunk of their own, shared with something that a menu needs, the two would import each other.
const ofScreens = new RegExp(
  `node_modules/((urql|wonka)/|@urql/core/|@floating-ui/|${parts('Collapse|Menu|NavLink|Popover|Tooltip')}|@mantine/core/esm/utils/Floating/)|src/web/pieces/menu-links\\.tsx$`,
)

/** Applies the pinned colour scheme before the first paint. A module runs after it, and a script in the page is forbidden. */
function colorSchemeFirst(): Plugin {
  const source = readFileSync(new URL('app/color-scheme.js', import.meta.url), 'utf8')
  let isBuild = false
  return {
    name: 'color-scheme-first',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    buildStart() {
      if (isBuild) this.emitFile({ type: 'asset', name: 'color-scheme.js', source })
    },
    transformIndexHtml(_html, { bundle }) {
      const asset = Object.values(bundle ?? {}).find(one => one.type === 'asset' && one.names.includes('color-scheme.js'))
      const src = asset ? `/${asset.fileName}` : '/app/color-scheme.js'
      return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }]
    },
  }
}

export default defineConfig({
  root,
  publicDir: false,
  plugins: [react(), colorSchemeFirst()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    manifest: true,
    // A data: address would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: everywhere, priority: 2 },
            { name: 'work', test: ofScreens, priority: 1, includeDependenciesRecursively: false },
          ],
        },
      },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
  },
  server: {
    proxy: Object.fromEntries(
      ['/graphql', '/idp', '/api', '/claim', '/invite'].map(path => [path, { target: server, changeOrigin: true }]),
    ),
  },
})
