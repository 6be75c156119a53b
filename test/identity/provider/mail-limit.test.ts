// How many mails one person is sent, by whomever they are asked for and from wherever.

import { afterAll, describe, expect, test } from 'vitest'
import { recipientOf } from '../../../src/identity/provider/counted.ts'
import type { TestApp } from '../../support/app.ts'
import { idp, newEmail, password, signUp } from '../provider.ts'
import { startTwoProcesses } from '../two-processes.ts'

const processes = await startTwoProcesses({ RATE_LIMIT: '1', TRUST_PROXY: '1' })
const apps = [processes.first, processes.second]
afterAll(async () => {
  for (const app of apps) app.setNow(null)
  await processes.close()
})

let sent = 0
/** Each from another network, and in turns to either process. */
const ask = (path: string, email: string) => {
  const n = ++sent
  const body = { email, password, name: 'Ada', redirectTo: '/' }
  return idp(apps[n % 2] as TestApp, 'POST', path, { body, headers: { 'x-forwarded-for': `10.${n >> 8}.${n & 255}.1` } })
}
const mailsTo = (pattern: RegExp) =>
  apps.flatMap(({ log }) => log.map(line => JSON.parse(line))).filter(({ email, url }) => url && pattern.test(email)).length

const kinds = ['/sign-in/magic-link', '/send-verification-email', '/request-password-reset', '/sign-up/email']

test.each(kinds)('%s: five in a quarter of an hour go to a mailbox, however its address is written', async path => {
  const name = newEmail(path.replaceAll('/', '')).split('@')[0]
  const written = [
    `${name}@example.com`,
    `${name?.toUpperCase()}@EXAMPLE.com`,
    ...Array.from({ length: 10 }, (_, n) => `${name}+${n}@example.com`),
  ]
  const statuses: number[] = []
  for (const email of written) statuses.push((await ask(path, email)).status)
  const refused = await ask(path, `${name}@example.com`)

  expect(statuses.slice(0, 5).filter(status => status === 429)).toEqual([])
  expect(statuses.slice(5)).toEqual(Array(7).fill(429))
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_MAILS', message: expect.stringContaining('15 minutes') } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
  expect(mailsTo(new RegExp(`^${name}`, 'i'))).toBeLessThanOrEqual(5)
  expect((await ask(path, newEmail('another'))).status).not.toBe(429)
})

test('all kinds count together, and thirty mails go to a mailbox in a day', async () => {
  const email = newEmail('all')
  await signUp(apps[0] as TestApp, email)
  const now = Date.now()
  let allowed = 1
  for (let quarter = 0; quarter < 10; quarter++) {
    for (const app of apps) app.setNow(new Date(now + quarter * 15 * 60_000 + quarter))
    for (let n = 0; n < 6; n++) if ((await ask(kinds[n % 3] as string, email)).status !== 429) allowed++
  }
  for (const app of apps) app.setNow(null)

  expect(allowed).toBe(30)
  expect(mailsTo(new RegExp(email))).toBeLessThanOrEqual(30)
})

test('who has no account is counted and answered as who has one', async () => {
  const known = newEmail('known')
  await signUp(apps[0] as TestApp, known)
  const unknown = newEmail('unknown')
  await ask('/request-password-reset', unknown)
  const statuses = async (email: string) => {
    const found = []
    for (let n = 0; n < 6; n++) found.push((await ask('/request-password-reset', email)).status)
    return found
  }

  expect(await statuses(unknown)).toEqual(await statuses(known))
})

test('a malformed address is refused, and counts nowhere', async () => {
  const before = await apps[0]?.services.database.prisma.idpSignInAttempts.count()
  for (const email of ['', 'no address', 'x'.repeat(10_000), 'ada@', '@example.com'])
    for (const path of ['/sign-in/magic-link', '/sign-in/email']) expect([400, 401]).toContain((await ask(path, email)).status)

  expect(await apps[0]?.services.database.prisma.idpSignInAttempts.count()).toBe(before)
})

describe('the mailbox of an address', () => {
  test.each([
    ['ada@example.com', ['Ada@Example.COM', ' ada+news@example.com ', 'ada+a+b@example.com', 'ADA+@example.com']],
    ['adalovelace@gmail.com', ['ada.lovelace@gmail.com', 'a.d.a.lovelace+x@googlemail.com']],
    ['ada@xn--bcher-kva.example', ['ada@bücher.example', 'ada@BÜCHER.example', 'ada@xn--bcher-kva.example']],
    ['a.da@example.com', ['a.da@example.com']],
  ])('%s', (mailbox, addresses) => {
    expect(addresses.map(recipientOf)).toEqual(addresses.map(() => mailbox))
  })
})
