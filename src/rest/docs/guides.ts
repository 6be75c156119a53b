// The guides at /docs/guides: the project's READMEs, each read and rendered at its first request.

import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Request, type Response, Router } from 'express'
import { sendError } from '../router/answer.ts'
import { page } from './page.ts'

// Relative to this file, so independent of the working directory.
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Name in the URL, file and title, in the order of the list. */
export const guides = [
  { name: '', file: 'README.md', title: 'Overview' },
  { name: 'calling', file: 'schema/README.md', title: 'Calling the API' },
  { name: 'client', file: 'src/client/README.md', title: 'TypeScript client' },
  { name: 'users', file: 'src/identity/README.md', title: 'Users and keys' },
  { name: 'voice', file: 'src/voice/README.md', title: 'Voice' },
  { name: 'enrichment', file: 'src/enrichment/README.md', title: 'Enrichment' },
  { name: 'webhooks', file: 'src/webhooks/README.md', title: 'Webhooks' },
  { name: 'hooks', file: 'src/hooks/README.md', title: 'Hooks' },
  { name: 'gateway', file: 'src/gateway/README.md', title: 'Gateway' },
  { name: 'mcp', file: 'src/mcp/README.md', title: 'MCP' },
  { name: 'cli', file: 'src/cli/README.md', title: 'Command line' },
  { name: 'credits', file: 'src/credits/README.md', title: 'Credits' },
  { name: 'server', file: 'src/server/README.md', title: 'Running the server' },
  { name: 'database', file: 'prisma/README.md', title: 'The database' },
  { name: 'architecture', file: 'src/README.md', title: 'Architecture' },
  { name: 'web', file: 'src/web/README.md', title: 'The web app' },
  { name: 'contributing', file: '.github/CONTRIBUTING.md', title: 'Contributing' },
] as const
type Guide = (typeof guides)[number]

/** Serves /docs/guides and the pages below it. */
export function guideRoutes(): Router {
  const router = Router()
  for (const guide of guides) {
    let rendered: Promise<string> | undefined
    router.get(addressOf(guide), async (req, res) => {
      rendered ??= rendering(guide)
      await rendered.then(
        html => void res.type('html').send(html),
        // A deployment may not contain the files.
        () => notInstalled(req, res, guide),
      )
    })
  }
  return router
}

const addressOf = ({ name }: Guide) => (name === '' ? '/docs/guides' : `/docs/guides/${name}`)

/** The URL paths of the guides. */
export const guideAddresses: readonly string[] = guides.map(addressOf)

const notInstalled = (req: Request, res: Response, { file }: Guide) =>
  sendError(req, res, 'NOT_FOUND', `This server was installed without its guide ${file}`)

async function rendering(guide: Guide): Promise<string> {
  const [{ render }, markdown] = await Promise.all([import('./markdown.ts'), readFile(join(root, guide.file), 'utf8')])
  const links = guides.map(one => `<li><a href="${addressOf(one)}"${one === guide ? ' aria-current="page"' : ''}>${one.title}</a></li>`)
  return page(
    `${guide.title} · Rolocom guides`,
    '/docs/guides',
    `  <div class="guides">
    <nav aria-label="Guides"><ul>${links.join('')}</ul></nav>
    <main class="guide">
${render(markdown, link => linkTo(guide.file, link))}
    </main>
  </div>`,
  )
}

// Links between guides point to their pages. Links to other files of the project are removed, because those are not served.
function linkTo(file: string, link: string): string | null {
  const [path = '', anchor] = link.split('#')
  const target = normalize(join(dirname(file), path))
  if (target === 'schema/openapi.json') return '/openapi.json'
  const guide = guides.find(one => one.file === target)
  return guide ? `${addressOf(guide)}${anchor === undefined ? '' : `#${anchor}`}` : null
}
