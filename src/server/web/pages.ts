// Serves the web app: its page with a fresh nonce to browsers, at every address that no door has, and its assets.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import staticWithEncodings from 'express-static-gzip'
import { sendError } from '../../rest/router/answer.ts'
import { NoBuild, type WebApp } from './app.ts'
import { openPreloads } from './preloads.ts'
import { waitingPage } from './waiting.ts'

export interface WebPages {
  /** Answers GET and HEAD for a page; passes everything else on. */
  page: RequestHandler
  /** Serves /assets. Their names contain the hash of their content, so they never change. */
  assets: RequestHandler
}

/** The finished build, as it is served. */
interface Served {
  /** The page of a path, cut at the places of the nonce. */
  page(path: string): readonly string[]
  assets: RequestHandler
}

// Vite writes it where the nonce belongs.
const placeholder = '__CSP_NONCE__'
// Scripts are named before the first, styles before the second: the first paint does not wait for them.
const endOfHead = '</head>'
const root = '<div id="root">'
// 10 s: a build takes about 5.
const maxWaitMs = 10_000

interface Surroundings {
  /** The first segments of addresses that are not the app's. */
  doors: ReadonlySet<string>
  /** The policy's frame-ancestors for the page of a widget; every other page is framed by nobody. */
  frameAncestorsOf(widgetId: string): Promise<string>
}

export function createWebPages(app: WebApp, { doors, frameAncestorsOf }: Surroundings): WebPages {
  let served: Served | undefined
  const opened = app.folder.then(folder => {
    served = openBuild(folder)
    return served
  })
  // Answered with where a page is asked for.
  opened.catch(() => {})

  return {
    async page(req, res, next) {
      if (!asksForPage(req, doors)) return next()
      res.setHeader('Cache-Control', 'no-store')
      res.vary('Accept')
      const build = served ?? (await Promise.race([opened, sleep(maxWaitMs, stillBuilding, { ref: false })]).catch(sentenceOf))
      if (typeof build === 'string') return sendWaiting(res, build)
      const [, widgetId] = widgetPath.exec(req.path) ?? []
      if (widgetId === undefined) return sendPage(res, build.page(req.path))
      const frameAncestors = await frameAncestorsOf(widgetId)
      // Knows no list of origins.
      res.removeHeader('X-Frame-Options')
      sendPage(res, build.page(req.path), frameAncestors)
    },
    assets: Router()
      .use(async (req, res, next) => {
        const build = served ?? (await opened.catch(() => undefined))
        if (build) build.assets(req, res, next)
        else next()
      })
      .use((req, res) => sendError(req, res, 'NOT_FOUND', 'There is no such file: it belongs to another version of the web app')),
  }
}

const stillBuilding = 'The web app is being built. This page reloads by itself.'

// Other errors have paths in their messages.
const sentenceOf = (error: unknown) => (error instanceof NoBuild ? error.message : 'The web app cannot be served')

function openBuild(folder: string): Served {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const preloads = openPreloads(folder)
  return {
    page(path) {
      const { modules, styles } = preloads(path)
      return html.replace(endOfHead, `${modules}${endOfHead}`).replace(root, `${styles}${root}`).split(placeholder)
    },
    assets: staticWithEncodings(join(folder, 'assets'), {
      enableBrotli: true,
      orderPreference: ['br', 'gz'],
      index: false,
      serveStatic: { immutable: true, maxAge: '1y', redirect: false },
    }),
  }
}

// A path with an extension is a file's, which a page in its place would only hide.
const file = /\.\w{1,8}$/

function asksForPage({ method, path, headers: { accept = '' } }: Request, doors: ReadonlySet<string>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  // Programs, which send */* or no Accept, get the page only at the one address that has no other answer.
  if (path === '/') return true
  return accept.includes('text/html') && !file.test(path) && !doors.has(path.split('/', 2)[1] ?? '')
}

const widgetPath = /^\/widgets\/([^/]+)$/

function sendPage(res: Response, page: readonly string[], frameAncestors = "frame-ancestors 'none'"): void {
  const nonce = randomBytes(16).toString('base64')
  res.setHeader('Content-Security-Policy', policy(nonce, frameAncestors))
  res.type('html').send(page.join(nonce))
}

function sendWaiting(res: Response, sentence: string): void {
  res.setHeader('Retry-After', '2')
  res
    .status(503)
    .type('html')
    .send(waitingPage(sentence, sentence === stillBuilding))
}

// Everything comes from this server, and what the page itself names carries the nonce. Styles need it too: the component library adds
// style elements. Nothing else is loaded from elsewhere.
const policy = (nonce: string, frameAncestors: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    // Recordings of calls, at whatever host the telephony provider keeps them; they load when somebody plays them.
    "media-src 'self' https:",
    "manifest-src 'self'",
    frameAncestors,
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
