// What a fresh database begins with: a demo organization for guests, an own one with a key, and on demand further ones for testing.

import { v7 as uuid } from 'uuid'
import { insertColumns, insertValues } from '../src/contacts/contact.sql.ts'
import { createContact } from '../src/contacts/contact.ts'
import { searchTextOf } from '../src/contacts/contact-change.ts'
import type { Contact } from '../src/contacts/contact-row.ts'
import { createCustomField } from '../src/contacts/custom-field.ts'
import { type Context, createContext, inTransaction, type Services } from '../src/context.ts'
import { openAccount } from '../src/credits/account.ts'
import { balanceOf } from '../src/credits/balance.ts'
import { statement } from '../src/database/client.ts'
import { eventColumns } from '../src/events.ts'
import { insertApiKey, revokeApiKey } from '../src/identity/api-key.ts'
import { createClaim } from '../src/identity/invitation.ts'
import { createOrganizationFor } from '../src/identity/organization.ts'
import { scopes } from '../src/identity/principal.ts'
import { insertSession } from '../src/identity/session.ts'
import { givenAgent, writeDemoCalls } from './demo-calls.ts'
import { type DemoContact, demoContacts, demoCustomFields, demoUsers } from './demo-contacts.ts'
import { writeDemoCredits } from './demo-credits.ts'
import { seedDemoEnrichment } from './demo-enrichment.ts'

/** What the first start shows of the first organization, known this once. */
export interface FirstStart {
  organization: string
  /** Null in production, where nobody has asked for a key yet. */
  apiKey: string | null
  /** By which a person becomes its owner. */
  claimToken: string
}

/** What black-box tests need of an organization. */
export interface SeededOrganization {
  org_id: string
  user_id: string
  session_token: string
  api_key: string
  read_only_key: string
  revoked_key: string
  contact_id: string
  agent_id: string
  /** What its owner can spend. */
  credits: number
}

// Held until the seed has committed: of several processes that start together one seeds, the others wait and find it done.
const lock = statement<never>('seed_lock', `select pg_advisory_xact_lock(hashtext('rolocom seed'))`)
const selectSeeded = statement<{ demo: boolean; own: boolean }>(
  'seed_seeded',
  `select exists (select from organizations where is_demo) as demo, exists (select from organizations where is_first) as own`,
)

/** Seeds what a fresh database lacks: the demo organization, and the first one, which is returned. Null where that was there before. */
export const seedFirst = (services: Services): Promise<FirstStart | null> => seedMissing(services, { demo: true, own: writeOwn })

/** The same in production: the first organization alone, without an owner or a key, to be claimed. */
export const seedUnclaimed = (services: Services): Promise<FirstStart | null> => seedMissing(services, { demo: false, own: writeUnclaimed })

/** Makes the demo organization where there is none. */
export async function seedDemo(services: Services): Promise<void> {
  await seedMissing(services, { demo: true, own: null })
}

interface Wanted {
  demo: boolean
  own: ((context: Context) => Promise<FirstStart>) | null
}

async function seedMissing(services: Services, wanted: Wanted): Promise<FirstStart | null> {
  const isDone = (seeded?: { demo: boolean; own: boolean }) => (seeded?.demo || !wanted.demo) && (seeded?.own || !wanted.own)
  if (isDone((await services.database.query(selectSeeded))[0])) return null
  return services.database.transaction(async tx => {
    await tx.query(lock)
    const [seeded] = await tx.query(selectSeeded)
    const context = () => inTransaction(asSystem(services, null), tx)
    if (wanted.demo && !seeded?.demo) {
      services.log.info('filling the demo organization')
      await writeDemo(context())
    }
    return wanted.own && !seeded?.own ? wanted.own(context()) : null
  })
}

/** Makes organizations with an owner, keys, a contact and an agent each, at any time. */
export async function seedOrganizations(services: Services, count: number): Promise<SeededOrganization[]> {
  const seeded: SeededOrganization[] = []
  for (let number = 1; number <= count; number++) seeded.push(await writeOrganization(services, number))
  return seeded
}

const asSystem = (services: Services, orgId: string | null) =>
  createContext(services, {
    principal: { kind: 'system', name: 'seed', orgId },
    requestId: `seed-${uuid()}`,
    door: 'system',
    operation: 'seed',
  })

const within = (context: Context, orgId: string): Context => ({ ...context, principal: { kind: 'system', name: 'seed', orgId } })

const insertUsers = statement<never>(
  'seed_users',
  `insert into users (id, name, email) select u.id, u.name, u.email from unnest($1::text[], $2::text[], $3::text[]) as u (id, name, email)
   on conflict (id) do nothing`,
)
const insertMembers = statement<never>(
  'seed_members',
  `insert into memberships (organization_id, user_id, role) select $1, id, 'member' from unnest($2::text[]) as id on conflict do nothing`,
)
const contactColumns = [...insertColumns, 'version']
const insertDemo = statement<never>(
  'seed_contacts',
  `with row as (
     insert into contacts (${contactColumns}) select ${contactColumns} from jsonb_populate_recordset(null::contacts, $1)
   )
   insert into events (${eventColumns}) select ${eventColumns} from jsonb_populate_recordset(null::events, $2)`,
)

async function writeDemo(context: Context): Promise<void> {
  const [owner, ...colleagues] = demoUsers
  await context.db.query(insertUsers, [demoUsers.map(user => user.id), demoUsers.map(user => user.name), demoUsers.map(user => user.email)])
  const { id: orgId } = await createOrganizationFor(context, { userId: owner.id, name: 'Rolocom demo', isDemo: true })
  await context.db.query(insertMembers, [orgId, colleagues.map(user => user.id)])
  const inDemo = within(context, orgId)
  await writeDemoCredits(inDemo, owner.id)
  for (const field of demoCustomFields) await createCustomField(inDemo, field)

  const contacts = demoContacts(context.now()).map(demo => ({ demo, contact: contactOf(demo, orgId) }))
  const rows = contacts.map(({ contact }) => ({
    ...Object.fromEntries(insertColumns.map((column, index) => [column, insertValues(contact, searchTextOf(contact))[index]])),
    custom: contact.custom,
    version: contact.version,
  }))
  await context.db.query(insertDemo, [
    JSON.stringify(rows),
    JSON.stringify(contacts.flatMap(({ demo, contact }) => eventsOf(demo, contact))),
  ])
  const written = contacts.map(({ contact }) => contact)
  await seedDemoEnrichment(inDemo, orgId, written)
  await writeDemoCalls(inDemo, orgId, written)
}

function contactOf({ fields, createdBy, createdAt, steps }: DemoContact, orgId: string): Contact {
  const updatedAt = (steps.at(-1)?.at ?? createdAt).toISOString()
  const id = uuid({ msecs: createdAt.getTime() })
  return { ...fields, id, orgId, createdBy, createdAt: createdAt.toISOString(), updatedAt, deletedAt: null, version: 1 + steps.length }
}

function eventsOf({ createdAt, steps }: DemoContact, contact: Contact): Record<string, unknown>[] {
  const event = (type: string, at: Date, { type: actorType, id, name }: Contact['createdBy'], changes: Record<string, unknown>) => ({
    id: uuid({ msecs: at.getTime() }),
    org_id: contact.orgId,
    type,
    entity: 'contact',
    entity_id: contact.id,
    contact_id: contact.id,
    actor_type: actorType,
    actor_id: id,
    actor_name: name,
    door: 'system',
    operation: 'seed',
    request_id: 'seed',
    changes,
    created_at: at.toISOString(),
  })
  return [
    event('contact.created', createdAt, contact.createdBy, {}),
    ...steps.map(({ at, by, from, to }) => event('contact.updated', at, by, { lifecycleStage: [from, to] })),
  ]
}

const ownName = 'My organization'

async function writeOwn(context: Context): Promise<FirstStart> {
  const userId = `owner-${uuid()}`
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
    const asOwner: Context = { ...inside, principal: { kind: 'session', sessionId: null, userId, email, name, orgIds: [orgId] } }

    const newKey = (label: string, allowed: Parameters<typeof insertApiKey>[1]['scopes']) =>
      insertApiKey(inside, { userId, label, scopes: allowed, orgIds: [orgId] })
    const { sessionToken } = await insertSession(inside, { userId, userAgent: 'seed', ipAddress: null })
    const full = await newKey('Seeded key', ['*'])
    const readOnly = await newKey('Seeded read-only key', readScopes)
    const revoked = await newKey('Seeded revoked key', ['*'])
    await revokeApiKey(asOwner, revoked.apiKey.id)
    const contact = await createContact(asOwner, { email: `first.contact.${number}@example.com`, firstName: 'First', lastName: 'Contact' })
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
