// Seeds an empty database: a demo organization for guests, a first organization with an API key, and on demand further ones for tests.

import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { searchTextOf } from '../../src/contacts/contact/apply.ts'
import { type Contact, contactEvents } from '../../src/contacts/contact/row.ts'
import { writeContacts } from '../../src/contacts/contact/write.ts'
import { createCustomField } from '../../src/contacts/custom-fields/field.ts'
import { openAccount } from '../../src/credits/accounts/account.ts'
import { balanceOf } from '../../src/credits/accounts/balance.ts'
import { createClaim } from '../../src/identity/invitations/invitation.ts'
import { insertApiKey, revokeApiKey } from '../../src/identity/keys/key.ts'
import { createOrganizationFor } from '../../src/identity/organizations/organization.ts'
import { placeholderId } from '../../src/identity/organizations/placeholder.ts'
import { insertSession } from '../../src/identity/sessions/session.ts'
import { alone } from '../../src/kernel/batching/together.ts'
import { type Context, createContext, inTransaction, type Services } from '../../src/kernel/context.ts'
import { type EventRow, eventRecord } from '../../src/kernel/events/event.sql.ts'
import type { EventType } from '../../src/kernel/nouns/events.ts'
import { scopes } from '../../src/kernel/principal.ts'
import { givenAgent } from '../../src/voice/sample/agent.ts'
import { writeDemoCalls } from './calls.ts'
import { type DemoContact, demoContacts, demoCustomFields, demoUsers, demoViewer, seedActor } from './contacts.ts'
import { writeDemoCredits } from './credits.ts'
import { writeDemoCompanies, writeDemoDeals } from './deals.ts'
import { seedDemoEnrichment } from './enrichment.ts'
import { writeDemoNotes } from './notes.ts'
import { insertContacts, insertMembers, insertUsers, lockSeed, type Seeded, seededContact, selectSeeded } from './seed.sql.ts'

/** The credentials of the first organization, which only the first start shows. */
export interface FirstStart {
  organization: string
  /** Null in production, where no key is created. */
  apiKey: string | null
  /** The token with which a user becomes the owner. */
  claimToken: string
}

/** An organization for black-box tests. */
export interface SeededOrganization {
  org_id: string
  user_id: string
  session_token: string
  api_key: string
  read_only_key: string
  revoked_key: string
  contact_id: string
  agent_id: string
  /** The available credits of its owner. */
  credits: number
}

/** Creates the demo organization and the first one if they are missing. Returns the first one; null when it existed already. */
export const seedFirst = (services: Services): Promise<FirstStart | null> => seedMissing(services, { demo: true, own: writeOwn })

/** The same in production: only the first organization, without an owner or a key, to be claimed. */
export const seedUnclaimed = (services: Services): Promise<FirstStart | null> => seedMissing(services, { demo: false, own: writeUnclaimed })

/** Creates the demo organization if it is missing. */
export async function seedDemo(services: Services): Promise<void> {
  await seedMissing(services, { demo: true, own: null })
}

interface Wanted {
  demo: boolean
  own: ((context: Context) => Promise<FirstStart>) | null
}

async function seedMissing(services: Services, wanted: Wanted): Promise<FirstStart | null> {
  const isDone = (seeded?: Seeded) => (seeded?.demo || !wanted.demo) && (seeded?.own || !wanted.own)
  if (isDone((await services.database.query(selectSeeded))[0])) return null
  return services.database.transaction(async tx => {
    while (!(await tx.query(lockSeed))[0]?.isLocked) await sleep(100)
    const [seeded] = await tx.query(selectSeeded)
    const context = () => inTransaction(asSystem(services, null), tx)
    if (wanted.demo && !seeded?.demo) {
      services.log.info('filling the demo organization')
      await writeDemo(context())
    }
    return wanted.own && !seeded?.own ? wanted.own(context()) : null
  })
}

/** Creates organizations with an owner, keys, a contact and an agent each. */
export async function seedOrganizations(services: Services, count: number): Promise<SeededOrganization[]> {
  const seeded: SeededOrganization[] = []
  for (let number = 1; number <= count; number++) seeded.push(await writeOrganization(services, number))
  return seeded
}

const asSystem = (services: Services, orgId: string | null) =>
  createContext(services, {
    principal: { kind: 'system', name: seedActor, orgId },
    requestId: `seed-${uuid()}`,
    door: 'system',
    operation: 'seed',
  })

const within = (context: Context, orgId: string): Context => ({ ...context, principal: { kind: 'system', name: seedActor, orgId } })

async function writeDemo(context: Context): Promise<void> {
  const [owner, ...colleagues] = [...demoUsers, demoViewer] as const
  const users = [owner, ...colleagues]
  await context.db.query(insertUsers, [users.map(user => user.id), users.map(user => user.name), users.map(user => user.email)])
  const { id: orgId } = await createOrganizationFor(context, { userId: owner.id, name: 'Rolocom demo', isDemo: true })
  await context.db.query(insertMembers, [orgId, colleagues.map(user => user.id), colleagues.map(user => user.role)])
  const inDemo = within(context, orgId)
  await writeDemoCredits(inDemo, owner.id)
  for (const field of demoCustomFields) await createCustomField(inDemo, field)

  const people = demoContacts(context.now())
  const companyIds = await writeDemoCompanies(inDemo, people)
  const contacts = people.map(given => {
    const companyId = companyIds.get(given.fields.companyDomain ?? '') ?? null
    return { given, contact: { ...contactOf(given, orgId), companyId } }
  })
  await context.db.query(insertContacts, [
    JSON.stringify(contacts.map(({ contact }) => seededContact.record({ ...contact, searchText: searchTextOf(contact) }))),
    JSON.stringify(contacts.flatMap(({ given, contact }) => eventsOf(given, contact).map(eventRecord))),
  ])
  // The workers make companies of them.
  await context.db.prisma.companyBackfill.create({ data: { orgId } })
  const written = contacts.map(({ contact }) => contact)
  await seedDemoEnrichment(inDemo, orgId, written)
  await writeDemoCalls(inDemo, orgId, written)
  await writeDemoNotes(inDemo, orgId, written)
  await writeDemoDeals(inDemo, orgId, written)
}

function contactOf({ fields, createdBy, createdAt, steps }: DemoContact, orgId: string): Contact {
  const updatedAt = (steps.at(-1)?.at ?? createdAt).toISOString()
  const id = uuid({ msecs: createdAt.getTime() })
  return { ...fields, id, orgId, createdBy, createdAt: createdAt.toISOString(), updatedAt, deletedAt: null, version: 1 + steps.length }
}

function eventsOf({ createdAt, steps }: DemoContact, contact: Contact): EventRow[] {
  const event = (type: EventType, at: Date, actor: Contact['createdBy'], changes: Record<string, unknown>): EventRow => ({
    id: uuid({ msecs: at.getTime() }),
    orgId: contact.orgId,
    type,
    entity: 'contact',
    entityId: contact.id,
    ...{ contactId: contact.id, companyId: null, dealId: null },
    actor,
    door: 'system',
    operation: 'seed',
    requestId: 'seed',
    changes,
    createdAt: at.toISOString(),
  })
  return [
    event(contactEvents.created, createdAt, contact.createdBy, {}),
    ...steps.map(({ at, by, from, to }) => event(contactEvents.updated, at, by, { lifecycleStage: [from, to] })),
  ]
}

const ownName = 'My organization'

async function writeOwn(context: Context): Promise<FirstStart> {
  const userId = placeholderId()
  await context.db.query(insertUsers, [[userId], ['Owner'], [null]])
  const { id: orgId } = await createOrganizationFor(context, { userId, name: ownName, isFirst: true })
  await openAccount(context, userId)
  const { key } = await insertApiKey(within(context, orgId), { userId, label: 'First key', scopes: ['*'], orgIds: [orgId] })
  const { token } = await createClaim(context, orgId)
  return { organization: ownName, apiKey: key, claimToken: token }
}

async function writeUnclaimed(context: Context): Promise<FirstStart> {
  const { id: orgId } = await createOrganizationFor(context, { userId: null, name: ownName, isFirst: true })
  const { token } = await createClaim(context, orgId)
  return { organization: ownName, apiKey: null, claimToken: token }
}

const readScopes = scopes.filter(scope => scope.endsWith(':read'))

async function writeOrganization(services: Services, number: number): Promise<SeededOrganization> {
  return services.database.transaction(async tx => {
    const context = inTransaction(asSystem(services, null), tx)
    const userId = `seed-${uuid()}`
    const name = `Test Owner ${number}`
    const email = `${userId}@example.com`
    await tx.query(insertUsers, [[userId], [name], [email]])
    const { id: orgId } = await createOrganizationFor(context, { userId, name: `Test organization ${number}` })
    const inside = within(context, orgId)
    const user = { kind: 'session', sessionId: null, role: 'owner', currentOrgId: null } as const
    const asOwner: Context = { ...inside, principal: { ...user, userId, email, name, orgIds: [orgId], roles: { [orgId]: 'owner' } } }

    const newKey = (label: string, allowed: Parameters<typeof insertApiKey>[1]['scopes']) =>
      insertApiKey(inside, { userId, label, scopes: allowed, orgIds: [orgId] })
    const { sessionToken } = await insertSession(inside, { userId, userAgent: 'seed', ipAddress: null })
    const full = await newKey('Seeded key', ['*'])
    const readOnly = await newKey('Seeded read-only key', readScopes)
    const revoked = await newKey('Seeded revoked key', ['*'])
    await revokeApiKey(asOwner, revoked.apiKey.id)
    const { contact } = await alone(asOwner, writeContacts, {
      contact: { email: `first.contact.${number}@example.com`, firstName: 'First', lastName: 'Contact' },
      onConflict: null,
    })
    const agent = await givenAgent(asOwner, orgId, { name: 'Seeded agent', instructions: 'Say hello, and ask for their job.' })
    return {
      org_id: orgId,
      user_id: userId,
      session_token: sessionToken,
      api_key: full.key,
      read_only_key: readOnly.key,
      revoked_key: revoked.key,
      contact_id: contact.id,
      agent_id: agent.id,
      credits: (await balanceOf(inside, userId)).available,
    }
  })
}
