// A server that answers as Twilio documents, and an account there.

import { beforeEach } from 'vitest'
import { conforming } from '../../../rest/conforming.ts'
import { startApp } from '../../../support/app.ts'
import { keepOpen } from '../../../support/open.ts'
import { givenCallFixture } from '../../call-fixture.ts'
import { accountSid, publicUrl, tellTwilio, twilioSettings } from '../messages.ts'
import { type Answer, providerServer } from '../server.ts'

const account = `/2010-04-01/Accounts/${accountSid}`

/** The servers of a file. `last.number` counts the calls that Twilio has taken. */
export async function openTwilio() {
  const provider = await keepOpen(providerServer())
  const started = await startApp({
    env: {
      ...twilioSettings,
      TWILIO_API_URL: provider.url,
    },
  })
  const app = await keepOpen({ ...started, rest: conforming(started) })

  const last = { number: 0 }
  const sidOf = (n: number) => `CA${String(n).padStart(32, '0')}`
  const usual: Answer = ({ method, path, query, form }) => {
    if (path === `${account}/IncomingPhoneNumbers.json`)
      return { status: 200, body: { incoming_phone_numbers: query.get('PhoneNumber') === '+15550109999' ? [] : [{ sid: 'PN0123' }] } }
    if (method === 'POST' && path === `${account}/Calls.json`)
      return { status: 201, body: { sid: sidOf(++last.number), status: 'queued', to: form.get('To') } }
    if (method === 'POST') return { status: 200, body: {} }
    return { status: 404, body: { code: 20404, message: 'not found', status: 404 } }
  }
  beforeEach(() => {
    provider.asked.length = 0
    provider.answers(usual)
    app.setNow(null)
  })

  let numbers = 0
  const fixture = (fields: object = {}, options = {}) =>
    givenCallFixture(app, { provider: 'twilio', phone_number: `+1555020${String(++numbers).padStart(4, '0')}`, ...fields }, options)

  /** The query of the address that Twilio was given for the call. */
  function queryOf(callId: string): string {
    const given = provider.asked.map(({ form }) => form.get('StatusCallback') ?? '')
    return new URL(given.findLast(url => url.includes(callId)) ?? publicUrl).search
  }

  const callback = (
    callId: string,
    fields: Record<string, string>,
    { signature, query = queryOf(callId) }: { signature?: string; query?: string } = {},
  ) => tellTwilio(app, query, fields, signature)
  const status = (CallStatus: string, SequenceNumber: string, more: Record<string, string> = {}) => ({
    ...{ CallSid: sidOf(last.number), AccountSid: accountSid, CallStatus, SequenceNumber, CallbackSource: 'call-progress-events' },
    ...{ Timestamp: 'Mon, 01 Jun 2026 10:00:00 +0000', ...more },
  })

  return { provider, app, usual, last, sidOf, fixture, queryOf, callback, status }
}
