// Call states and calling hours, without a database.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CallingHours, nextOpening } from '../../src/voice/policy/calling-hours.ts'
import { type CallNews, callOutcomes, callStatuses } from '../../src/voice/providers/telephony.ts'
import { advance, type CallState, isOver } from '../../src/voice/transitions/state.ts'

const fresh: CallState = {
  dispatchState: 'dispatched',
  status: 'queued',
  outcome: null,
  providerCallId: 'p1',
  answeredBy: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  endedReason: null,
  providerReason: null,
  recordingUrl: null,
  summary: null,
  transcriptLines: 0,
  extracted: {},
  reported: null,
}
const now = new Date('2026-06-01T10:00:00.000Z')

const time = fc.date({ min: new Date('2026-06-01T00:00:00Z'), max: new Date('2026-06-02T00:00:00Z'), noInvalidDate: true })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const someNews: fc.Arbitrary<CallNews> = fc.record({
  status: maybe(fc.constantFrom(...callStatuses)),
  outcome: maybe(fc.constantFrom(...callOutcomes)),
  answeredBy: maybe(fc.constantFrom('human' as const, 'machine' as const, 'unknown' as const)),
  answeredAt: maybe(time),
  endedAt: maybe(time),
  durationSeconds: maybe(fc.nat({ max: 600 })),
  providerCallId: maybe(fc.constantFrom('p1', 'p2')),
  endedReason: maybe(fc.string()),
  extracted: maybe(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat())),
})

describe('news of a call', () => {
  test('move the status only forward; its end is final, and facts only get better', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(someNews, time), { maxLength: 12 }), told => {
        let call = fresh
        for (const [news, at] of told) {
          const before = call
          call = advance(before, news, at)?.state ?? before
          const rank = (status: CallState['status']) => (isOver(status) ? 3 : callStatuses.indexOf(status))
          expect(rank(call.status)).toBeGreaterThanOrEqual(rank(before.status))
          if (isOver(before.status)) {
            expect(call.status).toBe(before.status)
            if (before.outcome !== 'unknown') expect(call.outcome).not.toBe('unknown')
          }
          expect(call.outcome !== null).toBe(isOver(call.status))
          expect(call.endedAt !== null).toBe(isOver(call.status))
          expect(Object.keys(call.extracted)).toEqual(expect.arrayContaining(Object.keys(before.extracted)))
          if (call.answeredAt !== null && call.endedAt !== null) {
            expect(call.answeredAt <= call.endedAt).toBe(true)
            expect(call.durationSeconds).toBeGreaterThanOrEqual(0)
          }
          if (before.answeredAt !== null) expect(call.answeredAt).not.toBeNull()
          // Repeated news change nothing.
          expect(advance(call, news, at)?.state ?? call).toEqual(call)
        }
      }),
      { numRuns: 2000 },
    )
  })

  // The messages of one call agree on how it ended; of its facts each may say something else.
  const ends = [['completed'], ['completed'], ['busy'], ['no_answer'], ['failed'], ['canceled']] as const
  const ofOneCall = fc.constantFrom(...ends).chain(([end]) => {
    const begun = end === 'busy' || end === 'no_answer' || end === 'canceled' ? (['queued', 'ringing'] as const) : undefined
    const statuses = fc.constantFrom(...(begun ?? (['queued', 'ringing', 'in_progress'] as const)), end)
    const line = fc.record({ seq: fc.constant(1), role: fc.constant('user' as const), text: fc.string({ maxLength: 3 }) })
    const texts = fc.record({
      status: maybe(statuses),
      transcript: maybe(
        fc.array(
          line.map(said => ({ ...said, startMs: null, endMs: null })),
          { maxLength: 3 },
        ),
      ),
      summary: maybe(fc.string({ maxLength: 3 })),
      recordingUrl: maybe(fc.string({ maxLength: 3 })),
      providerReason: maybe(fc.string({ maxLength: 3 })),
    })
    const told = fc.tuple(someNews, texts).map(([news, more]): CallNews => ({ ...news, ...more, providerCallId: 'p1' }))
    return fc.tuple(fc.array(told, { minLength: 1, maxLength: 6 }), fc.constant({ status: end, providerCallId: 'p1' }))
  })

  test('of one call give the same state in every order, also when some come twice', () => {
    const orders = ofOneCall.chain(([all, end]) => {
      const messages: CallNews[] = [...all, end]
      const doubled = messages.flatMap(message => [message, message])
      return fc.tuple(fc.constant(messages), fc.shuffledSubarray(doubled, { minLength: doubled.length }))
    })
    fc.assert(
      fc.property(orders, ([messages, shuffled]) => {
        const told = (news: readonly CallNews[]) => news.reduce((call, one) => advance(call, one, now)?.state ?? call, fresh)
        expect(told(shuffled)).toEqual(told(messages))
      }),
      { numRuns: 3000 },
    )
  })

  test('give the same times if an answer that was reported late is later superseded by an earlier one', () => {
    const end: CallNews = { status: 'completed' }
    const late: CallNews = { answeredAt: new Date('2026-06-01T10:00:20.000Z') }
    const early: CallNews = { answeredAt: new Date('2026-06-01T09:59:30.000Z') }
    const told = (...news: CallNews[]) => news.reduce((call, one) => advance(call, one, now)?.state ?? call, fresh)

    expect(told(end, late).endedAt).toBe('2026-06-01T10:00:20.000Z')
    expect(told(end, late, early)).toEqual(told(end, early, late))
    expect(told(end, late, early)).toMatchObject({ answeredAt: '2026-06-01T09:59:30.000Z', endedAt: now.toISOString() })
  })

  test('an answer stays at the time at which it was heard of, if the reported duration implies a later one', () => {
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)
    const answered = advance(fresh, { status: 'in_progress' }, at(2))?.state ?? fresh
    expect(answered.answeredAt).toBe(at(2).toISOString())

    // The provider counts 10 seconds, and its message arrives 15 seconds after the answer.
    expect(advance(answered, { status: 'completed', durationSeconds: 10 }, at(17))?.state).toMatchObject({
      ...{ answeredAt: at(2).toISOString(), endedAt: at(17).toISOString(), durationSeconds: 10 },
    })
  })

  test('of another call of the provider are ignored', () => {
    expect(advance(fresh, { providerCallId: 'p2', status: 'completed' }, now)).toBeNull()
  })

  test('the reason of a failed dial is dropped once a dial succeeds, and the end has its own reason', () => {
    const lost: CallState = { ...fresh, dispatchState: 'unconfirmed', providerCallId: null, providerReason: 'timeout' }
    const ringing = advance(lost, { providerCallId: 'p1', status: 'ringing' }, now)?.state ?? lost

    expect(ringing).toMatchObject({ dispatchState: 'dispatched', providerReason: null })
    expect(advance(ringing, { status: 'busy', providerReason: 'SIP 486' }, now)?.state).toMatchObject({ providerReason: 'SIP 486' })
  })

  test('an end without a reported answer implies the time of the answer', () => {
    expect(advance(fresh, { status: 'completed', durationSeconds: 60 }, now)?.state).toMatchObject({
      answeredAt: '2026-06-01T09:59:00.000Z',
      endedAt: '2026-06-01T10:00:00.000Z',
      durationSeconds: 60,
    })
    expect(advance(fresh, { status: 'no_answer' }, now)?.state).toMatchObject({
      answeredAt: null,
      durationSeconds: null,
      outcome: 'no_answer',
    })
  })

  test('of a call that rings although it was closed as lost require a hang-up', () => {
    const lost: CallState = {
      ...fresh,
      dispatchState: 'failed',
      status: 'failed',
      outcome: 'failed',
      endedAt: now.toISOString(),
      providerCallId: null,
    }

    expect(advance(lost, { status: 'ringing', providerCallId: 'p1' }, now)).toMatchObject({
      mustHangUp: true,
      state: { status: 'failed', providerCallId: 'p1' },
    })
    expect(advance({ ...lost, dispatchState: 'dispatched' }, { status: 'ringing' }, now)).toBeNull()
  })
})

describe('calling hours', () => {
  const office = { from: '09:00', until: '17:00', days: [1, 2, 3, 4, 5] }
  const opening = (at: string, zone: string, hours: CallingHours = office) => nextOpening(hours, zone, new Date(at))?.toISOString()

  test.each([
    ['inside', '2026-06-01T10:30:15.000Z', 'UTC', '2026-06-01T10:30:15.000Z'],
    ['before opening', '2026-06-01T08:59:59.000Z', 'UTC', '2026-06-01T09:00:00.000Z'],
    ['at closing', '2026-06-01T17:00:00.000Z', 'UTC', '2026-06-02T09:00:00.000Z'],
    ['on Friday evening', '2026-06-05T18:00:00.000Z', 'UTC', '2026-06-08T09:00:00.000Z'],
    ['in another zone', '2026-06-01T10:00:00.000Z', 'America/Los_Angeles', '2026-06-01T16:00:00.000Z'],
    ['in a zone of half hours', '2026-06-01T12:00:00.000Z', 'Asia/Kolkata', '2026-06-02T03:30:00.000Z'],
    // Clocks go forward on 29 March 2026 at 02:00, back on 25 October at 03:00.
    ['over the spring change', '2026-03-27T20:00:00.000Z', 'Europe/Berlin', '2026-03-30T07:00:00.000Z'],
    ['over the autumn change', '2026-10-23T20:00:00.000Z', 'Europe/Berlin', '2026-10-26T08:00:00.000Z'],
  ])('%s', (_name, at, zone, expected) => {
    expect(opening(at, zone)).toBe(expected)
  })

  const daily = { from: '08:00', until: '20:00', days: [1, 2, 3, 4, 5, 6, 7] }
  const mondays = { from: null, until: null, days: [1] }
  test.each([
    // New York: forward on 8 March 2026 at 02:00, back on 1 November at 02:00.
    ['opens on time in the night the clocks go forward', '2026-03-08T05:30:00.000Z', 'America/New_York', daily, '2026-03-08T12:00:00.000Z'],
    ['opens on time in the night the clocks go back', '2026-11-01T04:30:00.000Z', 'America/New_York', daily, '2026-11-01T13:00:00.000Z'],
    ['begins the day after the short one', '2026-03-08T05:30:00.000Z', 'America/New_York', mondays, '2026-03-09T04:00:00.000Z'],
    ['begins the day after the long one', '2026-11-01T04:30:00.000Z', 'America/New_York', mondays, '2026-11-02T05:00:00.000Z'],
    // 02:30 is skipped, 01:30 comes twice.
    [
      'opens an hour later where its time is left out',
      '2026-03-08T05:30:00.000Z',
      'America/New_York',
      { ...daily, from: '02:30' },
      '2026-03-08T07:30:00.000Z',
    ],
    [
      'opens the first time where its time comes twice',
      '2026-11-01T04:30:00.000Z',
      'America/New_York',
      { ...daily, from: '01:30' },
      '2026-11-01T05:30:00.000Z',
    ],
    // Cairo: from 00:00 to 01:00 on Friday, 24 April 2026; Lord Howe Island: by half an hour, on 4 October at 02:00.
    [
      'begins at one where midnight is left out',
      '2026-04-23T12:00:00.000Z',
      'Africa/Cairo',
      { ...mondays, days: [5] },
      '2026-04-23T22:00:00.000Z',
    ],
    ['opens on time after a change of half an hour', '2026-10-03T14:30:00.000Z', 'Australia/Lord_Howe', daily, '2026-10-03T21:00:00.000Z'],
  ])('%s', (_name, at, zone, hours, expected) => {
    expect(opening(at, zone, hours)).toBe(expected)
  })

  test('without hours a day is open all day; without days there is no opening', () => {
    expect(opening('2026-06-06T03:00:00.000Z', 'UTC', { from: null, until: null, days: [1, 2, 3, 4, 5, 6, 7] })).toBe(
      '2026-06-06T03:00:00.000Z',
    )
    expect(opening('2026-06-06T03:00:00.000Z', 'UTC', { from: null, until: null, days: [7] })).toBe('2026-06-07T00:00:00.000Z')
    expect(opening('2026-06-06T03:00:00.000Z', 'UTC', { ...office, days: [] })).toBeUndefined()
  })
})
