// Files of the installed app: its manifest, its icons, and the service worker that says when the server cannot be reached.

import { fileURLToPath } from 'node:url'
import { Router } from 'express'

const files = fileURLToPath(new URL('public', import.meta.url))
const icons = ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png']
// The worker requests pages from this server, and nothing else.
const workerPolicy = "default-src 'none'; connect-src 'self'"

/** Serves the files of the installed app. Browsers ask at each visit whether the manifest and the worker are still the same. */
export function installableRoutes(): Router {
  const router = Router()
  for (const name of icons) router.get(`/${name}`, (_req, res) => res.sendFile(name, { root: files, maxAge: '1d' }))
  router.get('/app.webmanifest', (_req, res) => {
    res.type('application/manifest+json').sendFile('app.webmanifest', { root: files, headers: { 'Cache-Control': 'no-cache' } })
  })
  router.get('/service-worker.js', (_req, res) => {
    res.sendFile('service-worker.js', { root: files, headers: { 'Cache-Control': 'no-cache', 'Content-Security-Policy': workerPolicy } })
  })
  return router
}
