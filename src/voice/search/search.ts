// Searching calls by summary and transcript, and voice agents by names and texts.

import { type Context, organizationOf } from '../../kernel/context.ts'
import { load } from '../../kernel/dataloaders.ts'
import { type Hit, hasTerm, snippetOf } from '../../kernel/search/snippet.ts'
import { indexedTsqueryOf, literal, type SearchQuery, tsqueryOf } from '../../kernel/search/words.ts'
import type { VoiceAgent } from '../agents/agent.sql.ts'
import { loadAgents } from '../agents/agent.ts'
import { contentOf, loadCalls } from '../calls/call.ts'
import type { Call } from '../calls/row.ts'
import { searchAgentWords, searchCallWords, searchNewestCalls } from './search.sql.ts'

/** At most `first` of the newest calls whose summary and transcript contain all the words. */
export async function searchCalls(context: Context, query: SearchQuery, first: number): Promise<Hit<Call>[]> {
  if (query.terms.length === 0) return []
  const found = await bestCalls(context, query, first)
  const hits = await Promise.all(
    found.map(async ({ id, rank }) => {
      const call = await load(context, loadCalls, id)
      // The index by words has trials too.
      return (
        call &&
        !call.isTrial && {
          entity: call,
          rank,
          title: call.toNumber,
          snippet: snippetOf(await textOf(context, call, query.terms), query.terms),
        }
      )
    }),
  )
  return hits.filter(hit => hit !== null && hit !== false)
}

// A word that many calls contain has enough matches among the newest; the index would collect all the others first, a millisecond for every
// 2,000 of them.
async function bestCalls(context: Context, query: SearchQuery, first: number) {
  const orgId = organizationOf(context)
  const asked = tsqueryOf(query)
  const newest = await context.db.query(searchNewestCalls, [orgId, asked, first, query.terms.map(term => `%${literal(term)}%`)])
  if (newest.length >= first) return newest
  const others = await context.db.query(searchCallWords, [orgId, indexedTsqueryOf(query), first, asked])
  const byId = new Map([...newest, ...others].map(call => [call.id, call]))
  // Ids begin with their time.
  return [...byId.values()].toSorted((one, other) => other.rank - one.rank || (other.id > one.id ? 1 : -1)).slice(0, first)
}

/** At most `first` voice agents whose name, instructions and first message contain all the words. Archived agents are left out. */
export async function searchAgents(context: Context, query: SearchQuery, first: number): Promise<Hit<VoiceAgent>[]> {
  if (query.terms.length === 0) return []
  const found = await context.db.query(searchAgentWords, [organizationOf(context), tsqueryOf(query), first])
  const hits = await Promise.all(
    found.map(async ({ id, rank }) => {
      const agent = await load(context, loadAgents, id)
      if (!agent) return null
      const texts = [agent.name, agent.instructions, agent.firstMessage].filter(text => text !== null)
      const text = texts.find(one => hasTerm(one, query.terms)) ?? agent.name
      return { entity: agent, rank, title: agent.name, snippet: snippetOf(text, query.terms) }
    }),
  )
  return hits.filter(hit => hit !== null)
}

// The summary if it contains a word, otherwise the first line of the transcript that does.
async function textOf(context: Context, call: Call, terms: readonly string[]): Promise<string> {
  if (call.summary !== null && hasTerm(call.summary, terms)) return call.summary
  const { transcript } = await contentOf(context, call)
  return transcript.find(line => hasTerm(line.text, terms))?.text ?? call.summary ?? ''
}
