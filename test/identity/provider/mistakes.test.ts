// Invalid requests to /idp: each is answered with an error of the client, and none is logged as an error of the server.

import { expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { bearer, idp, newEmail, password, signUp } from '../provider.ts'

const app = await openApp({ env: { GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' } })
const token = await signUp(app, newEmail())

const from = (origin: string) => ({ headers: { origin } })
const long = 'x'.repeat(50_000)
type Mistake = [name: string, method: string, path: string, asked?: Parameters<typeof idp>[3]]
const mistakes: Mistake[] = [
  ['another origin', 'POST', '/sign-in/email', { body: { email: 'a@example.com', password }, ...from('https://evil.example') }],
  [
    'a foreign address to return to',
    'POST',
    '/sign-in/magic-link',
    { body: { email: 'a@example.com', callbackURL: 'https://evil.example' } },
  ],
  ['an address to return to that is none', 'GET', '/magic-link/verify?token=x&callbackURL=%25E0%25A4%25A'],
  ['a path that is no UTF-8', 'GET', '/reset-password/%E0%A4%A?callbackURL=/'],
  ['a wrong password', 'POST', '/sign-in/email', { body: { email: 'a@example.com', password } }],
  ['no password', 'POST', '/sign-in/email', { body: { email: 'a@example.com' } }],
  ['a list', 'POST', '/sign-in/email', { body: [] }],
  ['null', 'POST', '/sign-in/email', { body: 'null' }],
  ['an address that is an object', 'POST', '/sign-in/email', { body: { email: {}, password } }],
  ['no JSON', 'POST', '/sign-up/email', { body: '{"email":' }],
  ['a NUL in a name', 'POST', '/sign-up/email', { body: { email: 'nul@example.com', password, name: 'a\0b' } }],
  [
    'half a surrogate pair in a name',
    'POST',
    '/sign-up/email',
    { body: '{"email":"half@example.com","password":"correct horse","name":"\\ud800"}' },
  ],
  ['a NUL in a picture', 'POST', '/update-user', { body: { image: '\0' }, ...bearer('known') }],
  ['a name that is a list', 'POST', '/update-user', { body: { name: ['a'] }, ...bearer('known') }],
  ['a name that is an object', 'POST', '/sign-up/email', { body: { email: 'object@example.com', password, name: { a: 1 } } }],
  ['a very long name', 'POST', '/sign-up/email', { body: { email: 'long@example.com', password, name: long } }],
  ['an address taken already', 'POST', '/sign-up/email', { body: { email: 'long@example.com', password, name: 'Ada' } }],
  ['a short password', 'POST', '/sign-up/email', { body: { email: 'short@example.com', password: 'short', name: 'Ada' } }],
  ['a NUL in the token of a link', 'GET', '/magic-link/verify?token=%00'],
  ['a link that is none', 'GET', '/verify-email?token=nonsense'],
  ['a signed token of another kind', 'GET', '/verify-email?token=eyJhbGciOiJub25lIn0.e30.'],
  ['a reset without a link', 'POST', '/reset-password', { body: { newPassword: 'a new password', token: 'nonsense\0' } }],
  ['a reset for an address that is none', 'POST', '/request-password-reset', { body: { email: 'nobody' } }],
  ['a reset for nobody', 'POST', '/request-password-reset', { body: { email: 'nobody@example.com' } }],
  ['a change of address', 'POST', '/change-email', { body: { newEmail: 'b@example.com' }, ...bearer('known') }],
  ['a deletion', 'POST', '/delete-user', { body: {}, ...bearer('known') }],
  ['a session nobody has', 'GET', '/token', bearer('nobody')],
  ['a session with a NUL', 'GET', '/token', bearer('a%00b')],
  ['a session that is no Latin', 'GET', '/get-session', { headers: { cookie: 'rcm.session_token=%00.%00' } }],
  ['sign-out without a session', 'POST', '/sign-out', { body: {} }],
  ['revoking without a session', 'POST', '/revoke-other-sessions', { body: {} }],
  ['an unknown provider', 'POST', '/sign-in/social', { body: { provider: 'nobody' } }],
  ["a provider's token that is none", 'POST', '/sign-in/social', { body: { provider: 'google', idToken: { token: 'nonsense' } } }],
  ['a return from a provider without a state', 'GET', '/callback/google?code=x'],
  ['a return from a provider with an invented one', 'GET', '/callback/google?code=x&state=%00'],
  ['a return from nowhere', 'GET', '/callback/nobody?code=x&state=y'],
  ['an account that is not linked', 'POST', '/unlink-account', { body: { providerId: 'google' }, ...bearer('known') }],
  [
    'a wrong current password',
    'POST',
    '/change-password',
    { body: { currentPassword: 'wrong password', newPassword: 'a new password' }, ...bearer('known') },
  ],
  ['an address nobody serves', 'GET', '/nothing'],
  ['a session deleted by its token', 'POST', '/revoke-session', { body: { token: 'x' }, ...bearer('known') }],
]

test.each(mistakes)('%s', async (_name, method, path, asked = {}) => {
  const before = app.log.length
  const headers = asked.headers?.authorization === 'Bearer known' ? bearer(token).headers : asked.headers

  const { status } = await idp(app, method, path, { ...asked, ...(headers && { headers }) })

  const loud = app.log.slice(before).filter(line => Number(JSON.parse(line).level) >= 40)
  expect({ isAnswered: status < 500, loud }).toEqual({ isAnswered: true, loud: [] })
})
