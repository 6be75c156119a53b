// Builds the app into dist/web: hashed assets, a manifest, and a page whose tags carry the placeholder of the server's nonce.

import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { parts } from './build/parts.ts'

const root = import.meta.dirname
// `vite dev` sends all other requests to a server started with `npm start`.
const server = 'http://127.0.0.1:4000'
// src/server/web/pages.ts searches for the same text, and puts the styles of a screen before it.
const beforeRoot = '<div id="root">'

/**
 * Prepares the first paint. Its script and styles stand first in the head, as files, because the page may have nothing inline. The app's styles
 * move behind the markup of the first paint: a browser shows the markup while it waits for them. Scripts wait for the styles in any place.
 */
function firstPaint(): Plugin {
  const names = ['first-paint.css', 'first-paint.js']
  let isBuild = false
  return {
    name: 'first-paint',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    buildStart() {
      if (!isBuild) return
      for (const name of names)
        this.emitFile({ type: 'asset', name, source: readFileSync(new URL(`app/${name}`, import.meta.url), 'utf8') })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const addressOf = (name: string) => {
          const asset = Object.values(bundle ?? {}).find(one => one.type === 'asset' && one.names.includes(name))
          return asset ? `/${asset.fileName}` : `/app/${name}`
        }
        const [styles, script] = names.map(addressOf)
        const appStyles = html.match(/<link rel="stylesheet"[^>]*>\n */g) ?? []
        const withoutStyles = appStyles.reduce((rest, link) => rest.replace(link, ''), html)
        return {
          html: withoutStyles.replace(beforeRoot, `${appStyles.join('')}${beforeRoot}`),
          tags: [
            { tag: 'link', attrs: { rel: 'stylesheet', href: styles }, injectTo: 'head-prepend' },
            { tag: 'script', attrs: { src: script }, injectTo: 'head-prepend' },
          ],
        }
      },
    },
  }
}

/**
 * Removes ScrollArea from Table.ScrollContainer, which then only supports `type="native"`. ScrollArea would load Floating UI in each list. If
 * Mantine changes this line, the sizes of lists in `npm run sizes` grow.
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
  plugins: [react(), firstPaint(), tablesScrollNatively()],
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
