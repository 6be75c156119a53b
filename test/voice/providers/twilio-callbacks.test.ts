// Twilio's callbacks: what each of them changes, and whose are accepted.

import twilioSdk from 'twilio'
import { beforeEach, describe, expect, test } from 'vitest'
import { conforming } from '../../rest/conforming.ts'
import { startApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { givenCallFixture } from '../call-fixture.ts'
import { type Answer, providerServer } from './server.ts'

const accountSid = 'ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const authToken = 'auth-token-of-the-test'
const publicUrl = 'https://crm.example'
const account = `/2010-04-01/Accounts/${accountSid}`

const provider = await keepOpen(providerServer())
const started = await startApp({
  env: {
    ...{ TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_API_URL: provider.url },
    ...{ PUBLIC_URL: publicUrl },
  },
})
const app = await keepOpen({ ...started, rest: conforming(started) })

let next = 0
const sidOf = (n: number) => `CA${String(n).padStart(32, '0')}`
const usual: Answer = ({ method, path, query, form }) => {
  if (path === `${account}/IncomingPhoneNumbers.json`)
    return { status: 200, body: { incoming_phone_numbers: query.get('PhoneNumber') === '+15550109999' ? [] : [{ sid: 'PN0123' }] } }
  if (method === 'POST' && path === `${account}/Calls.json`)
    return { status: 201, body: { sid: sidOf(++next), status: 'queued', to: form.get('To') } }
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

/** A callback as Twilio sends it, signed by Twilio's SDK. */
async function callback(
  callId: string,
  fields: Record<string, string>,
  { signature, query = queryOf(callId) }: { signature?: string; query?: string } = {},
) {
  const path = `/api/voice/v1/providers/twilio/events${query}`
  const expected = twilioSdk.getExpectedTwilioSignature(authToken, publicUrl + path, fields)
  return app.rest('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature ?? expected },
  })
}
const status = (CallStatus: string, SequenceNumber: string, more: Record<string, string> = {}) => ({
  ...{ CallSid: sidOf(next), AccountSid: accountSid, CallStatus, SequenceNumber, CallbackSource: 'call-progress-events' },
  ...{ Timestamp: 'Mon, 01 Jun 2026 10:00:00 +0000', ...more },
})

describe('callbacks', () => {
  test('change the status from ringing to the end, with recording and answering machine', async () => {
    const { call, read } = await fixture()
    const { id } = await call()

    const answers = [
      await callback(id, status('ringing', '1')),
      await callback(id, status('in-progress', '2')),
      await callback(id, {
        CallSid: sidOf(next),
        AccountSid: accountSid,
        AnsweredBy: 'machine_end_beep',
        MachineDetectionDuration: '3000',
      }),
      await callback(
        id,
        status('completed', '3', { CallDuration: '21', Timestamp: 'Mon, 01 Jun 2026 10:00:21 +0000', SipResponseCode: '200' }),
      ),
      await callback(id, {
        CallSid: sidOf(next),
        RecordingSid: 'RE1',
        RecordingStatus: 'completed',
        RecordingUrl: 'https://api.twilio.com/rec/RE1',
        RecordingDuration: '20',
      }),
    ]

    expect(answers.map(({ body }) => body.received)).toEqual(['applied', 'applied', 'applied', 'applied', 'applied'])
    expect(await read(id)).toMatchObject({
      status: 'completed',
      outcome: 'voicemail',
      answered_by: 'machine',
      answered_at: '2026-06-01T10:00:00.000Z',
      ended_at: '2026-06-01T10:00:21.000Z',
      duration_seconds: 21,
      ended_reason: 'completed',
      provider_reason: 'SIP 200',
      recording_url: 'https://api.twilio.com/rec/RE1',
    })
  })

  test.each([
    ['busy', '486', { status: 'busy', outcome: 'busy' }],
    ['busy', '603', { status: 'busy', outcome: 'declined' }],
    ['no-answer', '487', { status: 'no_answer', outcome: 'no_answer', ended_reason: 'no_answer' }],
    ['failed', '404', { status: 'failed', outcome: 'failed', provider_reason: 'SIP 404' }],
    ['canceled', '487', { status: 'canceled', outcome: 'unknown' }],
  ])('%s (SIP %s)', async (CallStatus, SipResponseCode, expected) => {
    const { call, read } = await fixture()
    const { id } = await call()

    await callback(id, status(CallStatus, '2', { SipResponseCode }))

    expect(await read(id)).toMatchObject({ ...expected, answered_at: null, duration_seconds: null })
  })

  test('are applied once, and set the provider id of a call whose answer was lost', async () => {
    const { call, read } = await fixture()
    provider.answers(asked => (asked.path.endsWith('/Calls.json') ? null : usual(asked)))
    const { id } = await call()
    next++

    const first = await callback(id, status('ringing', '1'))
    const again = await callback(id, status('ringing', '1'))

    expect([first.body.received, again.body.received]).toEqual(['applied', 'duplicate'])
    expect(await read(id)).toMatchObject({ dispatch_state: 'dispatched', status: 'ringing', provider_call_id: sidOf(next) })
  })

  test('401 for another signature, URL or body', async () => {
    const { call, read } = await fixture()
    const { id } = await call()
    const fields = status('completed', '9')
    const url = `${publicUrl}/api/voice/v1/providers/twilio/events${queryOf(id)}`
    const good = twilioSdk.getExpectedTwilioSignature(authToken, url, fields)

    const answers = [
      await callback(id, fields, { signature: 'bm8=' }),
      await callback(id, fields, { signature: '' }),
      await callback(id, { ...fields, CallStatus: 'busy' }, { signature: good }),
      await callback(id, fields, { signature: good, query: `${queryOf(id)}&x=1` }),
      await callback(id, fields, {
        signature: twilioSdk.getExpectedTwilioSignature('other', url, fields),
      }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(await read(id)).toMatchObject({ status: 'queued' })
  })

  // Twilio signs the address that it was given with or without the port, and some of its parts in the encoding of an older library.
  test.each<[string, string, (url: string) => string]>([
    ['with its port', 'https://crm.example:8443', url => url],
    ['without its port', 'https://crm.example:8443', url => url.replace(':8443', '')],
    ['with the usual port', 'https://crm.example', url => url.replace('.example', '.example:443')],
    ['without the usual port, which was given', 'https://crm.example:443', url => url.replace(':443', '')],
    ['of plain HTTP with the usual port', 'http://crm.example', url => url.replace('.example', '.example:80')],
    ['with an IPv6 address and a port', 'https://[2001:db8::1]:8443', url => url.replace(':8443', '')],
    ['with a quote as it was sent', 'https://crm.example', url => url],
    ['with a quote that is escaped', 'https://crm.example:8443', url => url.replaceAll("'", '%27').replace(':8443', '')],
  ])('are accepted when the address is signed %s', async (_name, address, signedUrl) => {
    const { createTwilio } = await import('../../../src/voice/providers/twilio.ts')
    const twilio = createTwilio({ accountSid, authToken, apiUrl: '', outgoing: app.services.outgoing, eventsUrl: () => address })
    const url = `${address}/api/voice/v1/providers/twilio/events?call_id=x&note=O'Brien%20a%20b`
    const fields = { CallSid: 'CA1', CallStatus: 'ringing', Note: 'ü €' }
    const delivery = (signature: string) => ({
      ...{ url, contentType: 'application/x-www-form-urlencoded; charset=UTF-8', messageId: null },
      ...{ body: new URLSearchParams(fields).toString(), headers: { 'x-twilio-signature': signature } },
    })
    const none = async () => []

    await twilio.verify(delivery(twilioSdk.getExpectedTwilioSignature(authToken, signedUrl(url), fields)), none)

    const forged = [
      twilioSdk.getExpectedTwilioSignature('other', signedUrl(url), fields),
      twilioSdk.getExpectedTwilioSignature(authToken, signedUrl(url).replace('call_id=x', 'call_id=y'), fields),
      twilioSdk.getExpectedTwilioSignature(authToken, 'https://elsewhere.example/', fields),
      '',
    ]
    for (const signature of forged) await expect(twilio.verify(delivery(signature), none)).rejects.toThrow('the signature does not fit')
  })

  test('of a server whose PUBLIC_URL has a port, a path and a slash are accepted, with and without the port', async () => {
    const other = await startApp({
      env: {
        ...{ TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, TWILIO_API_URL: `${provider.url}/` },
        ...{ PUBLIC_URL: 'https://CRM.bücher.example:8443/crm/' },
      },
    })
    const { call, read } = await givenCallFixture(other, { provider: 'twilio', phone_number: '+15550209998' })
    const { id } = await call()
    const given = provider.asked.map(({ form }) => form.get('StatusCallback') ?? '').findLast(url => url.includes(id)) ?? ''
    // The proxy before the server takes the path of PUBLIC_URL away.
    const path = given.replace('https://crm.xn--bcher-kva.example:8443/crm', '')
    const tell = (fields: Record<string, string>, signed: string) =>
      other.rest('POST', path, {
        body: new URLSearchParams(fields).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          'x-twilio-signature': twilioSdk.getExpectedTwilioSignature(authToken, signed, fields),
        },
      })
    const answers = [
      await tell(status('ringing', '1'), given),
      await tell(status('in-progress', '2'), given.replace(':8443', '')),
      await tell(status('completed', '3'), given.replace('/crm', '')),
    ]

    expect(path).toMatch(/^\/api\/voice\/v1\/providers\/twilio\/events\?/)
    expect([answers.map(answer => answer.status), (await read(id)).status]).toEqual([[200, 200, 401], 'in_progress'])
    await other.close()
  })

  // What a tenant's own TwiML makes Twilio call back is signed with the token of the same account.
  test('that another tenant has Twilio sign do not reach a call, whether its id at Twilio is known or not', async () => {
    const mine = await fixture()
    const { id: own } = await mine.call()
    const ownQuery = queryOf(own)
    provider.answers(asked => (asked.path.endsWith('/Calls.json') ? null : usual(asked)))
    const victim = await fixture()
    const { id: unknown } = await victim.call()
    provider.answers(usual)
    const { id: known } = await victim.call()
    const forged = { ...status('completed', '9', { CallDuration: '600' }), CallSid: sidOf(900) }
    const queries = (id: string) => [`?call_id=${id}`, `?call_id=${id}&token=`, ownQuery.replace(own, id), `${ownQuery}&call_id=${id}`]

    const told = []
    for (const [n, query] of [...queries(unknown), ...queries(known)].entries())
      told.push((await callback(own, { ...forged, SequenceNumber: String(n) }, { query })).body.received)

    expect(new Set(told)).toEqual(new Set(['ignored']))
    expect(await victim.read(unknown)).toMatchObject({ dispatch_state: 'unconfirmed', status: 'queued', provider_call_id: '' })
    expect(await victim.read(known)).toMatchObject({ status: 'queued' })
    expect(await mine.read(own)).toMatchObject({ status: 'queued' })
    expect((await callback(unknown, { ...forged, CallStatus: 'ringing' })).body).toEqual({ received: 'applied' })
  })
})
