// Nobody becomes an owner, or pays, without accepting: offers of ownership, the payer, API keys from before, and what others see of a ledger.

import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import { type Json, openApp, serviceToken } from '../../support/app.ts'

// A call of a minute costs a credit, and nobody gets credits for signing up.
const app = await openApp({ env: { VOICE_PRICE_PER_MINUTE: '1', CREDITS_NEW_USER_GRANT: '0', ROLES: 'web,api,session,worker' } })

const ask = async (session: string, text: string, orgId?: string): Promise<Json> => {
  const { body } = await app.graphql(text, {}, { session, ...(orgId !== undefined && { headers: { 'x-org-id': orgId } }) })
  return body.errors?.[0].extensions.code ?? body.data
}
const change = async (session: string, orgId: string, mutation: string): Promise<Json> => {
  const answer = await ask(session, `mutation { done: ${mutation} }`, orgId)
  return typeof answer === 'string' ? answer : answer.done
}
const roles = async (organizationId: string) =>
  Object.fromEntries(
    (await app.services.database.prisma.membership.findMany({ where: { organizationId } })).map(({ userId, role }) => [userId, role]),
  )
const offers = (session: string) =>
  ask(session, '{ me { ownershipOffers { id isTransfer organization { id } offeredBy { id } } } }').then(({ me }) => me.ownershipOffers)
const transfer = (userId: string) => `transferOwnership(input: { userId: "${userId}" }) { id }`
const promote = (userId: string) => `changeMemberRole(input: { userId: "${userId}", role: OWNER }) { role ownershipOffer { isTransfer } }`
const accept = (id: string, pays: boolean) => `acceptOwnership(input: { id: "${id}", pays: ${pays} }) { role payer { id } }`
const grant = (userId: string, amount: number) =>
  app.rest('POST', '/api/credits/grant', {
    headers: { 'x-svc-services-token': serviceToken },
    body: { user_id: userId, amount, reference: 'invoice' },
  })
const balance = async (asked: { key?: string; session?: string }) => {
  const { status, body } = await app.graphql('{ creditBalance { userId available reserved } }', undefined, asked)
  return body.errors ? body.errors[0].extensions.code : status === 200 ? body.data.creditBalance : [status, body.code]
}
const agentIn = async (orgId: string) => {
  const { key } = await app.given.apiKey({ orgId, userId: 'operator' })
  const { body } = await app.rest('POST', '/api/voice/v1/agents', { key, body: { name: 'Agent' } })
  return body.id as string
}
const call = async (agentId: string, asked: { key?: string; session?: string; headers?: Record<string, string> }) => {
  const schedule = { earliest_at: new Date(Date.now() + 86_400_000).toISOString() }
  const body = { agent_id: agentId, to_number: '+442079460123', max_duration_seconds: 60, schedule }
  const answer = await app.rest('POST', '/api/voice/v1/calls', { ...asked, body })
  return answer.status === 201 ? 201 : [answer.status, answer.body.code]
}

/** A stranger with an organization and a key, and in it a victim who has 100 credits and an organization of their own. */
async function stranger(role: 'viewer' | 'member' | 'admin' = 'viewer') {
  const { session, userId, orgId } = await app.given.session()
  const { key } = await app.given.apiKey({ orgId, userId })
  const agentId = await agentIn(orgId)
  const victim = await app.given.organization('Their own')
  const { session: victims } = await app.given.session({ userId: victim.userId })
  await app.services.database.prisma.membership.create({ data: { userId: victim.userId, organizationId: orgId, role } })
  await grant(victim.userId, 100)
  return { session, userId, orgId, key, agentId, victim: { ...victim, session: victims } }
}

describe('an offer of ownership', () => {
  test('makes nobody an owner or the payer: the stranger spends and reads nothing of the member', async () => {
    const { session, orgId, userId, key, agentId, victim } = await stranger()

    expect(await change(session, orgId, transfer(victim.userId))).toEqual({ id: orgId })
    expect(await change(session, orgId, promote(victim.userId))).toEqual({ role: 'VIEWER', ownershipOffer: { isTransfer: false } })

    expect(await roles(orgId)).toEqual({ [userId]: 'owner', [victim.userId]: 'viewer' })
    expect(await balance({ key })).toEqual({ userId, available: 0, reserved: 0 })
    expect(await call(agentId, { key })).toEqual([402, 'insufficient_credits'])
    expect(await balance({ session: victim.session })).toMatchObject({ available: 100 })
  })

  test('by leaving, the stranger makes a co-owner who accepted no payer', async () => {
    const { session, orgId, userId, agentId, victim } = await stranger()
    const { session: accomplice, userId: accompliceId } = await app.given.member({ orgId, role: 'member' })
    const { key } = await app.given.apiKey({ orgId, userId: accompliceId })
    await change(session, orgId, promote(victim.userId))
    const [offer] = await offers(victim.session)
    expect(await change(victim.session, orgId, accept(offer.id, false))).toEqual({ role: 'OWNER', payer: { id: userId } })

    expect(await change(session, orgId, `leaveOrganization(input: { id: "${orgId}" }) { id }`)).toEqual({ id: orgId })

    expect(await ask(victim.session, '{ organization { role payer { id } } }', orgId)).toEqual({
      organization: { role: 'OWNER', payer: null },
    })
    expect(await balance({ key })).toBe('CONFLICT')
    expect(await call(agentId, { key })).toEqual([409, 'conflict'])
    // Work without a price, and what users pay for themselves, goes on.
    expect((await app.rest('POST', '/api/crm/v1/contacts', { key, body: { email: `${uuid()}@example.com` } })).status).toBe(201)
    expect(await balance({ session: accomplice })).toMatchObject({ userId: accompliceId })
    expect(await call(agentId, { session: victim.session, headers: { 'x-org-id': orgId } })).toBe(201)
  })

  test('is accepted, declined and seen only by the member', async () => {
    const { session, orgId, userId, victim } = await stranger('admin')
    await change(session, orgId, transfer(victim.userId))
    const [offer] = await offers(victim.session)
    expect(offer).toEqual({ id: offer.id, isTransfer: true, organization: { id: orgId }, offeredBy: { id: userId } })
    expect(await offers(session)).toEqual([])
    expect(await change(session, orgId, accept(offer.id, true))).toBe('NOT_FOUND')

    expect(await change(victim.session, orgId, `declineOwnership(input: { id: "${offer.id}" }) { id }`)).toEqual({ id: offer.id })

    expect(await offers(victim.session)).toEqual([])
    expect(await change(victim.session, orgId, accept(offer.id, true))).toBe('NOT_FOUND')
    expect(await roles(orgId)).toEqual({ [userId]: 'owner', [victim.userId]: 'admin' })
  })

  test('ends after seven days, when it is withdrawn, and with the ownership or the membership', async () => {
    const { session, orgId, userId, victim } = await stranger('member')
    const { session: other, userId: otherId } = await app.given.member({ orgId, role: 'member' })
    const offered = async (from = session) => {
      await change(from, orgId, transfer(victim.userId))
      return (await offers(victim.session))[0]?.id as string
    }

    const withdrawn = await offered()
    expect(await change(session, orgId, `withdrawOwnership(input: { id: "${withdrawn}" }) { id }`)).toEqual({ id: withdrawn })
    expect(await change(victim.session, orgId, accept(withdrawn, true))).toBe('NOT_FOUND')

    const late = await offered()
    app.setNow(new Date(Date.now() + 8 * 86_400_000))
    expect(await change(victim.session, orgId, accept(late, true))).toBe('NOT_FOUND')
    app.setNow(null)

    await change(session, orgId, promote(otherId))
    await change(other, orgId, accept((await offers(other))[0].id, false))
    const ofOther = await offered(other)
    await change(session, orgId, `changeMemberRole(input: { userId: "${otherId}", role: ADMIN }) { role }`)
    expect(await offers(victim.session)).toEqual([])
    expect(await change(victim.session, orgId, accept(ofOther, true))).toBe('NOT_FOUND')

    await offered()
    await change(victim.session, orgId, `leaveOrganization(input: { id: "${orgId}" }) { id }`)
    expect(await offers(victim.session)).toEqual([])
    expect(await roles(orgId)).toEqual({ [userId]: 'owner', [otherId]: 'admin' })
  })
})

describe('the payer', () => {
  test('confirms the keys that others made before, which are refused until then, and those made after work', async () => {
    const { session, orgId, userId, key, agentId, victim } = await stranger()
    await change(session, orgId, transfer(victim.userId))
    const [offer] = await offers(victim.session)

    expect(await change(victim.session, orgId, accept(offer.id, true))).toEqual({ role: 'OWNER', payer: { id: victim.userId } })

    expect(await roles(orgId)).toEqual({ [userId]: 'admin', [victim.userId]: 'owner' })
    for (const path of ['/api/crm/v1/contacts', '/api/crm/v1/stats', '/api/voice/v1/agents'])
      expect(await app.rest('GET', path, { key })).toMatchObject({
        status: 403,
        body: { code: 'forbidden', detail: expect.stringContaining('confirmApiKey') },
      })
    expect(await call(agentId, { key })).toEqual([403, 'forbidden'])
    const listed = await ask(victim.session, '{ apiKeys { id isConfirmed createdById } }', orgId)
    const { id } = listed.apiKeys.find((one: Json) => one.createdById === userId)
    const confirm = `confirmApiKey(input: { id: "${id}" }) { isConfirmed }`
    expect(await change(session, orgId, confirm)).toBe('FORBIDDEN')
    expect(await change(session, orgId, `rotateApiKey(input: { id: "${id}" }) { key }`)).toBe('CONFLICT')

    expect(await change(victim.session, orgId, confirm)).toEqual({ isConfirmed: true })

    expect(await call(agentId, { key })).toBe(201)
    const later = await change(session, orgId, 'createApiKey(input: { label: "Later" }) { key }')
    expect((await app.rest('GET', '/api/crm/v1/contacts', { key: later.key })).status).toBe(200)
  })

  test('an owner takes over paying, and earlier reservations stay with the former payer', async () => {
    const { session, orgId, userId, key, agentId, victim } = await stranger()
    await grant(userId, 10)
    expect(await call(agentId, { key })).toBe(201)
    await change(session, orgId, promote(victim.userId))
    await change(victim.session, orgId, accept((await offers(victim.session))[0].id, false))
    expect(await balance({ key })).toMatchObject({ userId, available: 9 })

    expect(await change(victim.session, orgId, 'payForOrganization { payer { id } }')).toEqual({ payer: { id: victim.userId } })

    expect(await balance({ key })).toBe('FORBIDDEN')
    expect(await balance({ session: victim.session })).toMatchObject({ available: 100, reserved: 0 })
    expect(await balance({ session })).toMatchObject({ available: 9, reserved: 1 })
    expect(await change(session, orgId, 'payForOrganization { payer { id } }')).toEqual({ payer: { id: userId } })
    expect(await balance({ key })).toMatchObject({ userId, available: 9, reserved: 1 })
  })
})

describe("a payer's ledger", () => {
  test('shows an organization its own entries only, and the payer everything', async () => {
    const payer = await app.given.session()
    await grant(payer.userId, 50)
    const second = await change(payer.session, payer.orgId, 'createOrganization(input: { name: "Second" }) { id }')
    const own = await app.given.apiKey({ orgId: payer.orgId, userId: payer.userId })
    const { userId: memberId } = await app.given.member({ orgId: payer.orgId, role: 'member' })
    const { key } = await app.given.apiKey({ orgId: payer.orgId, userId: memberId })
    const { key: secondKey } = await app.given.apiKey({ orgId: second.id, userId: payer.userId })
    const agents = [await agentIn(payer.orgId), await agentIn(second.id)]
    expect([await call(agents[0] as string, { key }), await call(agents[1] as string, { key: secondKey })]).toEqual([201, 201])

    const text = `{ creditBalance { available reserved balance grants { amount } reservations { amount } }
      creditTransactions { totalCount nodes { type } } groupCreditTransactions(by: [{ field: TYPE }]) { groups { keys count } } }`
    const seen = async (asked: { key?: string; session?: string; headers?: Record<string, string> }) =>
      (await app.graphql(text, {}, asked)).body.data

    expect(await seen({ key })).toEqual({
      creditBalance: { available: 48, reserved: 1, balance: 49, grants: [], reservations: [{ amount: 1 }] },
      creditTransactions: { totalCount: 1, nodes: [{ type: 'HOLD' }] },
      groupCreditTransactions: { groups: [{ keys: ['HOLD'], count: 1 }] },
    })
    const everything = {
      creditBalance: { available: 48, reserved: 2, balance: 50, grants: [{ amount: 50 }], reservations: [{ amount: 1 }, { amount: 1 }] },
      creditTransactions: { totalCount: 3, nodes: [{ type: 'HOLD' }, { type: 'HOLD' }, { type: 'GRANT' }] },
      groupCreditTransactions: {
        groups: [
          { keys: ['HOLD'], count: 2 },
          { keys: ['GRANT'], count: 1 },
        ],
      },
    }
    expect(await seen({ session: payer.session, headers: { 'x-org-id': payer.orgId } })).toEqual(everything)
    expect(await seen({ key: own.key })).toEqual(everything)
  })
})
