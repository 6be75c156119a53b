// The page at /: describes the server and links to the reference and GraphiQL. The web app will replace it.

import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'

const files = fileURLToPath(new URL('public', import.meta.url))

export function homeRoutes(): Router {
  const router = Router()
  router.use(express.static(files, { index: 'index.html', maxAge: '1h', etag: true }))
  return router
}
