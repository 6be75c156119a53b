// Twilio's callbacks: what each of them changes, and whose are accepted.

import twilioSdk from 'twilio'
import { describe, expect, test } from 'vitest'
import { startApp } from '../../../support/app.ts'
import { givenCallFixture } from '../../call-fixture.ts'
import { accountSid, authToken, publicUrl } from '../messages.ts'
import { openTwilio } from './twilio.ts'

const { provider, app, usual, last, sidOf, fixture, queryOf, callback, status } = await openTwilio()

describe('callbacks', () => {
  test('change the status from ringing to the end, with recording and answering machine', async () => {
    const { call, read } = await fixture()
    const { id } = await call()

    const answers = [
      await callback(id, status('ringing', '1')),
      await callback(id, status('in-progress', '2')),
      await callback(id, {
        CallSid: sidOf(last.number),
        AccountSid: accountSid,
        AnsweredBy: 'machine_end_beep',
        MachineDetectionDuration: '3000',
      }),
      await callback(
        id,
        status('completed', '3', { CallDuration: '21', Timestamp: 'Mon, 01 Jun 2026 10:00:21 +0000', SipResponseCode: '200' }),
      ),
      await callback(id, {
        CallSid: sidOf(last.number),
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
    last.number++

    const first = await callback(id, status('ringing', '1'))
    const again = await callback(id, status('ringing', '1'))

    expect([first.body.received, again.body.received]).toEqual(['applied', 'duplicate'])
    expect(await read(id)).toMatchObject({ dispatch_state: 'dispatched', status: 'ringing', provider_call_id: sidOf(last.number) })
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
    const { createTwilio } = await import('../../../../src/voice/providers/twilio.ts')
    const twilio = createTwilio({
      accountSid,
      authToken,
      apiUrl: '',
      outgoing: app.services.outgoing,
      nextUrl: () => '',
      eventsUrl: () => address,
    })
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
