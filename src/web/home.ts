// The page at /: what runs here, and where to go. The web app takes its place.

import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'

const files = fileURLToPath(new URL('public', import.meta.url))

export function homeRoutes(): Router {
  const router = Router()
  router.use(express.static(files, { index: 'index.html', maxAge: '1h', etag: true }))
  return router
}
