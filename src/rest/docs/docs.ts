// Serves the API reference at /docs, the guides, the page of error codes and /openapi.json. All assets are served from this origin.
//
// The reference is Swagger UI, with labels and colors of our own (public/). Scalar needs inline styles, which the page's Content-Security-Policy
// forbids, and axe found unnamed buttons and low contrast in it.

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import express, { type Request, type Response, Router } from 'express'
import { type Code, meaningOf, statusOf } from '../../kernel/errors.ts'
import { snakeCase } from '../../kernel/input/case.ts'
import { titles } from '../router/answer.ts'
import { guideRoutes } from './guides.ts'
import { page } from './page.ts'

const ownFiles = fileURLToPath(new URL('public', import.meta.url))
// Only the files that the page uses: the package's index.html shows the Petstore example.
const swaggerFiles = [
  new URL('swagger-ui.css', pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist'))),
  new URL('swagger-ui-bundle.js', pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist'))),
].map(url => fileURLToPath(url))

/** Serves /docs, /docs/errors, /docs/guides and /openapi.json. */
export function docsRoutes(): Router {
  const router = Router()
  router.get('/openapi.json', sendDocument)
  router.get('/docs', (_req, res) => res.sendFile('index.html', { root: ownFiles }))
  router.get('/docs/errors', (_req, res) => {
    res.type('html').send(errorsPage())
  })
  router.use(guideRoutes())
  // With a root, because the path to the package may contain a folder whose name begins with a dot.
  for (const path of swaggerFiles)
    router.get(`/docs/swagger/${basename(path)}`, (_req, res) => res.sendFile(basename(path), { root: dirname(path), maxAge: '1d' }))
  router.use('/docs', express.static(ownFiles, { index: false, redirect: false, maxAge: '1h' }))
  return router
}

// Generated at the first request: most processes never serve it.
let printed: Promise<{ text: string; tag: string }> | undefined

async function print() {
  const { openapi } = await import('../openapi/openapi.ts')
  const text = JSON.stringify(openapi())
  return { text, tag: `"${createHash('sha1').update(text).digest('base64url')}"` }
}

async function sendDocument(req: Request, res: Response): Promise<void> {
  const { text, tag } = await (printed ??= print())
  res.setHeader('ETag', tag)
  res.setHeader('Cache-Control', 'no-cache')
  if (req.headers['if-none-match'] === tag) res.status(304).end()
  else res.type('json').send(text)
}

// Shows the members of an error in snake_case, as in REST; headers are unchanged.
const inHtml = (meaning: string) =>
  meaning.replace(/`([^`]+)`/g, (_, name: string) => `<code>${/^[a-z]+[A-Z]/.test(name) ? snakeCase(name) : name}</code>`)

function errorsPage(): string {
  const rows = (Object.keys(statusOf) as Code[])
    .toSorted((a, b) => statusOf[a] - statusOf[b])
    .map(code => {
      const name = code.toLowerCase()
      return `<tr id="${name}"><td>${statusOf[code]}</td><td><code>${name}</code></td><td><strong>${titles[code]}.</strong> ${inHtml(meaningOf[code])}</td></tr>`
    })
  return page(
    'Errors · Rolocom API',
    '/docs/errors',
    `  <main class="page">
    <h1>Errors</h1>
    <p>An error is a JSON object with <code>type</code>, <code>title</code>, <code>status</code>, <code>detail</code>, <code>code</code> and <code>request_id</code>.
    Only 422 is different: its <code>detail</code> is a list, one item per problem. GraphQL gives the same codes in capitals, in <code>extensions.code</code>.</p>
    <table>
      <thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
      <tbody>
        ${rows.join('\n        ')}
      </tbody>
    </table>
  </main>`,
  )
}
