// A server that answers as Vapi documents, and an account there.

import { beforeEach } from 'vitest'
import { conforming } from '../../../rest/conforming.ts'
import { startApp } from '../../../support/app.ts'
import { keepOpen } from '../../../support/open.ts'
import { givenCallFixture } from '../../call-fixture.ts'
import { vapiSettings } from '../messages.ts'
import { type Answer, providerServer } from '../server.ts'

/** The servers of a file. `last.number` counts the assistants and calls that Vapi has taken. */
export async function openVapi() {
  const provider = await keepOpen(providerServer())
  const started = await startApp({
    env: { ...vapiSettings, VAPI_API_URL: provider.url },
  })
  const app = await keepOpen({ ...started, rest: conforming(started) })

  const last = { number: 0 }
  const phone = '+15550300001'
  const usual: Answer = ({ method, path, json }) => {
    if (path === '/phone-number')
      return {
        status: 200,
        body: [
          { id: 'pn-0', number: '+15550000000' },
          { id: 'pn-1', number: phone },
        ],
      }
    if (path === '/assistant')
      return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { id: `as-${++last.number}`, ...json } }
    if (path.startsWith('/assistant/')) return { status: 200, body: { id: path.slice(11) } }
    if (path === '/call' && method === 'POST') return { status: 201, body: { id: `vc-${++last.number}`, status: 'queued', ...json } }
    return { status: 404, body: { message: 'Not found', statusCode: 404 } }
  }
  beforeEach(async () => {
    provider.asked.length = 0
    provider.answers(usual)
    await app.services.database.pool.query(`update voice_agents set status = 'archived' where phone_number = $1`, [phone])
  })

  const fixture = (fields: object = {}, options = {}) =>
    givenCallFixture(app, { provider: 'vapi', phone_number: phone, instructions: 'Be brief.', ...fields }, options)

  return { provider, app, last, phone, usual, fixture }
}
