// The person who claims the first organization takes the place of the user that the first start made.

import { describe, expect, test } from 'vitest'
import { seedFirst } from '../../../prisma/seed/seed.ts'
import { moveReturnedCredits } from '../../../src/credits/accounts/succession.ts'
import { type Json, serviceToken, startApp, type TestApp } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'

const password = 'correct horse battery'
const newUserGrant = 100

interface First {
  app: TestApp
  key: string
  orgId: string
  placeholder: string
  claim(email: string, token?: string): Promise<Json>
}

async function firstStart(env: Record<string, string> = {}): Promise<First> {
  const app = await keepOpen(startApp({ env: { CREDITS_NEW_USER_GRANT: String(newUserGrant), ROLES: 'web,api,session,worker', ...env } }))
  const first = await seedFirst(app.services)
  if (!first?.apiKey) throw new Error('There is no first key')
  const { id: orgId, payerId } = await app.services.database.prisma.organization.findFirstOrThrow({ where: { isFirst: true } })
  const claim = async (email: string, token = first.claimToken) =>
    (await app.rest('POST', `/claim/${token}`, { body: { action: 'sign_up', email, password, name: 'Olive' } })).body
  return { app, key: first.apiKey, orgId, placeholder: payerId ?? '', claim }
}

const grant = (app: TestApp, userId: string, amount: number, more: Json = {}) =>
  app.rest('POST', '/api/credits/grant', {
    body: { user_id: userId, amount, ...more },
    headers: { 'x-svc-services-token': serviceToken },
  })
const balances = async (app: TestApp, ...users: string[]) => {
  const accounts = await app.services.database.prisma.creditAccount.findMany({ where: { userId: { in: users } } })
  return users.map(user => Number(accounts.find(({ userId }) => userId === user)?.balanceMicro ?? -1) / 1e6)
}
const members = '{ organization { payer { id } members { nodes { role user { id name email } } } } }'

describe('the claim of the first organization', () => {
  test('leaves one member, who pays and has the first key, which goes on working', async () => {
    const { app, key, orgId, placeholder, claim } = await firstStart()
    const contact = await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: 'a@example.com', owner_user_id: placeholder } })
    expect(contact.status).toBe(201)
    const task = await app.graphql(
      `mutation { createTask(input: { contactId: "${contact.body.id}", title: "Call", assigneeUserId: "${placeholder}" }) { id } }`,
      {},
      { key },
    )
    expect(task.body.errors).toBeUndefined()

    const { session_token: session, user_id: userId } = await claim('olive@example.com')

    const { body } = await app.graphql(members, {}, { session })
    expect(body.data.organization).toEqual({
      payer: { id: userId },
      members: { nodes: [{ role: 'OWNER', user: { id: userId, name: 'Olive', email: 'olive@example.com' } }] },
    })
    const keys = await app.graphql('{ apiKeys { label isConfirmed createdById } me { userId } }', {}, { session })
    expect(keys.body.data?.apiKeys ?? keys.body).toEqual([{ label: 'First key', isConfirmed: true, createdById: userId }])
    const me = await app.graphql('{ me { userId } }', {}, { key })
    expect(me.body.data.me.userId).toBe(userId)
    await expect
      .poll(
        async () => {
          const found = await app.graphql(
            '{ contacts { nodes { ownerUserId } } tasks(first: 5) { nodes { assignee { id } } } }',
            {},
            { session },
          )
          return found.body.data
        },
        { timeout: 20_000 },
      )
      .toEqual({ contacts: { nodes: [{ ownerUserId: userId }] }, tasks: { nodes: [{ assignee: { id: userId } }] } })
    const events = await app.services.database.prisma.event.findMany({ where: { orgId, type: 'organization.left' } })
    expect(events.map(({ changes }) => changes)).toEqual([{ userId: placeholder, role: 'owner', replacedBy: userId }])
  })

  test('moves the remaining credits that the operator gave, and not the grant for new users', async () => {
    const { app, key, placeholder, claim } = await firstStart()
    await grant(app, placeholder, 500, { reference: 'invoice:1', priority: 10 })
    await grant(app, placeholder, 40, { effective_at: '2090-01-01T00:00:00Z', reference: 'later' })
    await app.rest('POST', '/api/credits/deduct', {
      body: { user_id: placeholder, amount: 120 },
      headers: { 'x-svc-services-token': serviceToken },
    })
    const hold = await app.services.money.reserve(app.asSystem(null), {
      userId: placeholder,
      amountMicro: 80_000_000n,
      reference: 'call:1',
      expiresAt: new Date(Date.now() + 600_000),
    })

    const { user_id: userId, session_token: session } = await claim('olive@example.com')

    expect(await balances(app, placeholder, userId)).toEqual([newUserGrant + 80, newUserGrant + 300])
    const ofKey = await app.graphql('{ creditBalance { available } }', {}, { key })
    expect(ofKey.body.data.creditBalance).toEqual({ available: newUserGrant + 300 })
    const { body } = await app.graphql('{ creditBalance { available grants { amount reference } } }', {}, { session })
    expect(body.data?.creditBalance.grants ?? body).toEqual(expect.arrayContaining([{ amount: 40, reference: 'later' }]))

    await app.services.money.settle(app.asSystem(null), hold?.holdId ?? '', 30_000_000n)
    for (let time = 0; time < 2; time++) await moveReturnedCredits(app.services)
    expect(await balances(app, placeholder, userId)).toEqual([newUserGrant, newUserGrant + 350])
  })

  test('replaces nobody for a second person, and nobody who has an address', async () => {
    const { app, orgId, claim } = await firstStart()
    const { user_id: first } = await claim('olive@example.com')
    const { session_token: session, user_id: second } = await claim('pam@example.com', await app.given.claim(orgId))

    const { body } = await app.graphql(members, {}, { session })

    expect(body.data.organization.payer.id).toBe(first)
    expect(body.data.organization.members.nodes.map(({ user }: Json) => user.id).toSorted()).toEqual([first, second].toSorted())
  })

  test('removes a placeholder that an earlier release left beside a person', async () => {
    const { app, orgId, placeholder, claim } = await firstStart()
    const { userId, session } = await app.given.member({ orgId, role: 'owner' })
    expect(await balances(app, placeholder)).toEqual([newUserGrant])

    const token = await app.given.claim(orgId)
    const { body } = await app.graphql(`mutation { claimOrganization(input: { token: "${token}" }) { role } }`, {}, { session })

    expect(body.data.claimOrganization).toEqual({ role: 'OWNER' })
    const { organization } = (await app.graphql(members, {}, { session })).body.data
    expect([organization.payer.id, organization.members.nodes.map(({ user }: Json) => user.id)]).toEqual([userId, [userId]])
    expect((await claim('late@example.com')).status).toBe(404)
  })

  test('of two claims at once one succeeds, while the first key places calls that all succeed', async () => {
    const { app, key, orgId, placeholder, claim } = await firstStart({ VOICE_PRICE_PER_MINUTE: '1' })
    await grant(app, placeholder, 1000)
    const agent = await app.rest('POST', '/api/voice/v1/agents', {
      key,
      body: { name: 'Caller', instructions: 'Say hello.', phone_number: '+15550100001' },
    })
    const place = () => app.rest('POST', '/api/voice/v1/calls', { key, body: { agent_id: agent.body.id, to_number: '+15550123456' } })

    const [one, two, ...calls] = await Promise.all([
      claim('olive@example.com'),
      claim('pam@example.com'),
      ...Array.from({ length: 12 }, place),
    ])

    expect([one, two].map(body => body.organization?.id ?? body.status).toSorted()).toEqual([404, orgId].toSorted())
    expect(calls.map(({ status }) => status)).toEqual(Array(12).fill(201))
    const owners = await app.services.database.prisma.membership.findMany({ where: { organizationId: orgId } })
    expect(owners.map(({ userId }) => userId)).toEqual([one.user_id ?? two.user_id])
    expect((await place()).status).toBe(201)
  })

  test('killed in the middle, it has changed nothing', async () => {
    const { app, key, orgId, placeholder, claim } = await firstStart()
    await grant(app, placeholder, 500)
    const { money } = app.services
    app.services.money = {
      ...money,
      async moveAccount(...given) {
        await money.moveAccount(...given)
        throw new Error('killed')
      },
    }

    expect((await claim('olive@example.com')).status).toBe(500)

    app.services.money = money
    const owners = await app.services.database.prisma.membership.findMany({ where: { organizationId: orgId } })
    expect(owners.map(({ userId }) => userId)).toEqual([placeholder])
    expect(await balances(app, placeholder)).toEqual([newUserGrant + 500])
    expect((await app.graphql('{ me { userId } }', {}, { key })).body.data.me.userId).toBe(placeholder)
  })
})
