// One-use addresses of invitations where mail can be sent: they do not tell which addresses have an account, unless they were mailed there.

import { describe, expect, test } from 'vitest'
import type { Json } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { browserOf } from '../browser.ts'
import { newEmail, openSession, password, signIn, signInByLink, signUp } from '../provider.ts'
import { linkIn, startWithMail } from '../with-mail.ts'

const mails = await keepOpen(startWithMail())
const { app, before } = mails

const claim = (token: string, body: Json) =>
  app.rest('POST', `/claim/${token}`, { body: { action: 'sign_up', password, name: 'Ada', ...body } })

describe('a one-use address', () => {
  test('that anybody may use lets in who has verified the address, and is not used up before', async () => {
    const { orgId } = await app.given.organization()
    const token = await mails.app.given.claim(orgId)
    const email = newEmail('claimer')

    const asked = await claim(token, { email })
    const early = await claim(token, { action: 'sign_in', email })
    const text = await mails.mailed(email)
    const link = linkIn(text)
    const mine = browserOf(app)
    await mine('POST', link, new URLSearchParams({ way: 'password', password }))
    const joined = await claim(token, { action: 'sign_in', email })

    expect([asked.status, early.status, joined.status]).toEqual([202, 401, 201])
    expect(text).not.toContain(token)
    expect(joined.body.organization).toMatchObject({ id: orgId, role: 'owner' })
    expect(new URL(link).searchParams.get('callbackURL')).toBe('/claim')
    const page = await mine('GET', '/claim')
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Your address is verified')])
  })

  test('that was mailed lets its address in at once, without another mail, and tells it alone of its account', async () => {
    const { session, orgId } = await app.given.session()
    const invite = async (email: string) => {
      await app.graphql(`mutation { inviteMember(input: { email: "${email}" }) { id } }`, {}, { session })
      return new URL(linkIn(await mails.mailed(email))).pathname.split('/').at(-1) ?? ''
    }
    const [fresh, known, verified] = [newEmail('fresh'), newEmail('known'), newEmail('verified')]
    await openSession(before, await signUp(before, known))
    await openSession(before, await signInByLink(before, verified))
    const [toFresh, toKnown] = [await invite(fresh), await invite(known)]

    const elsewhere = [await claim(toKnown, { email: newEmail() }), await claim(toKnown, { email: verified })]
    const joined = await claim(toFresh, { email: fresh })
    const refused = await claim(toKnown, { email: known, password: 'another horse battery' })

    expect(elsewhere.map(({ status, body }) => [status, body.detail])).toEqual(
      Array(2).fill([403, `The invitation is for ${known}: sign up or sign in with this address`]),
    )
    expect([joined.status, joined.body.organization?.id, (await signIn(app, fresh)).body.user.emailVerified]).toEqual([201, orgId, true])
    expect([refused.status, refused.body.code]).toEqual([409, 'already_exists'])
    expect([mails.bodiesTo(fresh).length, mails.bodiesTo(known).length]).toEqual([1, 1])
  })

  test('that was mailed lets its address in where somebody else has signed up with it', async () => {
    const { session, orgId } = await app.given.session()
    const email = newEmail('squatted')
    await mails.signedUp(email, 'an attacker chose this')
    await mails.mailed(email)
    await app.graphql(`mutation { inviteMember(input: { email: "${email}" }) { id } }`, {}, { session })
    const token = new URL(linkIn(await mails.mailed(email, 2))).pathname.split('/').at(-1) ?? ''

    const { status, body } = await claim(token, { email })

    expect([status, body.organization?.id]).toEqual([201, orgId])
    expect((await signIn(app, email, 'an attacker chose this')).status).toBe(401)
  })
})
