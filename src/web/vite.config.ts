// Builds the app into dist/web: hashed assets, a manifest, and a page whose tags carry the placeholder of the server's nonce.

import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { parts } from './build/parts.ts'

const root = import.meta.dirname
// Where `vite dev` sends what is not a file of the app: a server started with `npm start`.
const server = 'http://127.0.0.1:4000'

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

/**
 * Table.ScrollContainer without ScrollArea, for which each list would load Floating UI: `type="native"` is what is left. Where Mantine changes
 * that line, `npm run sizes` says what lists weigh then.
 */
function tablesScrollNatively(): Plugin {
  const line = 'import { ScrollArea } from "../ScrollArea/ScrollArea.mjs";'
  return {
    name: 'tables-scroll-natively',
    transform: {
      filter: { id: /TableScrollContainer\.mjs/ },
      handler: code => code.replace(line, 'const ScrollArea = Box;'),
    },
  }
}

export default defineConfig({
  root,
  publicDir: false,
  plugins: [react(), colorSchemeFirst(), tablesScrollNatively()],
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
          groups: Object.entries(parts).map(([name, test], index, { length }) => ({
            name,
            test,
            priority: length - index,
            includeDependenciesRecursively: false,
          })),
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
