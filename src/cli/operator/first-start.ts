// The output of a start: the server's address, and at the first start the API key and the one-use address. Without a terminal these
// secrets are written to a file instead.

import { appendFileSync, chmodSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FirstStart } from '../../../prisma/seed/seed.ts'
import { syncPath } from '../../config/durable-file.ts'
import type { Config } from '../../config/environment.ts'
import { claimAddress } from '../../identity/invitations/invitation.ts'

// An installed package has no scripts of npm's.
const isPackage = import.meta.url.includes('/node_modules/')
const [keys, claim] = isPackage
  ? ['npx rolocom keys --database', 'npx rolocom claim']
  : ['npm run rolocom -- keys --database', 'npm run rolocom -- claim']

/** The output of a start. Unless it goes to a terminal, secrets are written to a file that only its owner can read. */
export function welcome(url: string, config: Config, first: FirstStart | null, isTerminal: boolean): string {
  const { ROLES, isProduction, DATA_DIR } = config
  const lines = [`Rolocom is ready at ${url}`]
  if (ROLES.includes('api')) lines.push(`  ${isProduction ? 'GraphQL' : 'GraphiQL'} ${url}/graphql   API reference ${url}/docs`)
  lines.push(`  Lost a key: ${keys} list | create | revoke   Sign in as owner: ${claim}`)
  if (!first) return lines.join('\n')

  const secrets = secretLines(url, config, first)
  if (isTerminal) return [...lines, '', ...secrets].join('\n')
  const what = first.apiKey ? 'The API key and the one-use address' : 'The one-use address'
  const path = resolve(join(DATA_DIR, 'first-start.txt'))
  try {
    mkdirSync(DATA_DIR, { recursive: true })
    // Appended: the file may have the secrets of a first start on another database.
    appendFileSync(path, `${secrets.join('\n')}\n`, { mode: 0o600, flush: true })
    chmodSync(path, 0o600)
    syncPath(DATA_DIR)
    return [
      ...lines,
      '',
      `${what} of "${first.organization}": in ${path}, which your user alone can read; delete it when you have them`,
    ].join('\n')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const others = `${keys} create, and ${claim}, make others`
    return [...lines, '', `${what} of "${first.organization}" could not be written (${reason}): ${others}`].join('\n')
  }
}

function secretLines(url: string, { PUBLIC_URL }: Config, { organization, apiKey, claimToken }: FirstStart): string[] {
  const address = [
    `Sign in as the owner of "${organization}" at this address, which works once, within 7 days:`,
    claimAddress(PUBLIC_URL ?? url, claimToken),
  ]
  if (apiKey === null) return address
  const header = `-H "Authorization: Bearer ${apiKey}"`
  return [
    `API key of "${organization}", shown this once: ${apiKey}`,
    '',
    ...address,
    '',
    `curl -s ${url}/api/crm/v1/contacts ${header} -H "Content-Type: application/json" -d '{"email":"alan@example.com","first_name":"Alan"}'`,
    `curl -s "${url}/api/crm/v1/contacts?limit=5" ${header}`,
    `curl -s ${url}/api/crm/v1/stats ${header}`,
  ]
}
