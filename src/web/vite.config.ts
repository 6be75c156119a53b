// Builds the app into dist/web: hashed assets, a manifest, and a page whose tags carry the placeholder of the server's nonce.

import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { parts } from './build/parts.ts'

const root = import.meta.dirname
// `vite dev` sends requests that are not for files of the app to this server, which `npm start` starts.
const server = 'http://127.0.0.1:4000'
// As src/server/web/pages.ts finds it, to put the styles of a screen before it.
const beforeRoot = '<div id="root">'

/**
 * What is painted before the scripts have run: a script and styles of its own, files because nothing in the page is inline, stand first in the
 * head. The app's styles are moved behind the markup of the first paint, which a browser then shows while it waits for them; scripts wait for
 * them wherever they stand.
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
