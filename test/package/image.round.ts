// The image: built from .docker/Dockerfile, run read-only as its user with a volume, asked, stopped, and started again on the same volume.
// Where no container engine is at hand, the Dockerfile's steps are run instead.
//
//   npm run round -- image
//
// Without an engine it needs root on Linux, for mounts and chroot; else it is skipped.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { freePort } from '../support/free-port.ts'
import { check, ensure } from './checks.ts'
import { buildByDocker, missing } from './image/by-docker.ts'
import { buildBySteps } from './image/by-steps.ts'
import type { Container, Image } from './image/container.ts'
import { canMount } from './image/rooted.ts'

const root = join(import.meta.dirname, '../..')
const dockerfile = join(root, '.docker/Dockerfile')
const password = 'long enough for this'
const account = { email: 'ada@example.com', password }
// Far more than DRAIN_SECONDS and the 10 s after them: whether the server ends by itself, on a busy machine too.
const graceSeconds = 60

const lacking = missing(dockerfile)
if (lacking && !canMount()) test('the image is built, and starts', ({ skip }) => skip(`${lacking}, and the steps need root on Linux`))
else look()

function look(): void {
  const scratch = mkdtempSync(join(tmpdir(), 'rolocom-image-'))
  let image: Image | undefined
  const built = (): Image => {
    ensure(image, 'The image was not built')
    return image
  }
  afterAll(async () => {
    await image?.remove()
    rmSync(scratch, { recursive: true, force: true })
  })
  check('every step of the Dockerfile succeeds', async () => {
    if (lacking) console.log(`${lacking}: the steps of the Dockerfile are run here instead, on this system and its Node`)
    image = lacking ? await buildBySteps(root, dockerfile, scratch) : await buildByDocker(root, dockerfile, basename(scratch).toLowerCase())
  })
  check('its user is not root, and can write to nothing of the program', async () => {
    const { run } = built()
    const user = await run(['id', '-u'])
    ensure(Number(user) > 0, `It runs as ${user}`)
    const writable = await run(['find', '.', '-writable', '!', '-type', 'l', '-print', '-quit'])
    ensure(writable.trim() === '', `${writable} can be written to`)
  })
  const settings = settingsOf()
  check('read-only, it becomes healthy, a person signs up and makes a contact; SIGTERM ends it with 0', async () =>
    served(built().start, await settings, async url => {
      const key = await signIn(url, 'sign-up', { ...account, name: 'Ada' })
      await createClient({ url, key }).post('/api/crm/v1/contacts', { body: { email: 'alan@example.com' } })
    }),
  )
  check('the next container on the same volume has the written rows', async () =>
    served(built().start, await settings, async url => {
      const key = await signIn(url, 'sign-in', account)
      const { data } = await createClient({ url, key }).get('/api/crm/v1/contacts')
      ensure(data.map(({ email }) => email).join() === 'alan@example.com', JSON.stringify(data))
    }),
  )
}

/** What production asks for. */
async function settingsOf(): Promise<Record<string, string>> {
  const port = String(await freePort())
  return {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SVC_SERVICES_TOKEN: 'image-service-token-0123456789',
    IDENTITY_SECRET: 'image-identity-secret-0123456789',
    HOOKS_ENABLED: '0',
    MAIL_LINKS: '0',
    SIGN_UP: 'open',
  }
}

async function served(start: Image['start'], settings: Record<string, string>, work: (url: string) => Promise<void>): Promise<void> {
  const container: Container = await start(settings)
  let status = -1
  try {
    while (!(await container.isHealthy())) await sleep(500)
    await work(settings.PUBLIC_URL ?? '')
  } finally {
    status = await container.stop(graceSeconds)
  }
  ensure(status === 0, `It ended with ${status}`)
}

/** Signs in at the identity provider. Resolves with a session token. */
async function signIn(url: string, way: 'sign-up' | 'sign-in', body: typeof account & { name?: string }): Promise<string> {
  const answer = await fetch(`${url}/idp/${way}/email`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { token } = (await answer.json()) as { token?: string }
  ensure(token, `${way}: ${answer.status}`)
  const { token: jwt } = await createClient({ url, key: token }).get('/idp/token')
  return (await createClient({ url, key: jwt }).post('/api/auth/session')).session_token
}
