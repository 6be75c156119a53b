// A catalogue with more tools than are listed: two tools in their place, one that finds the others and one that calls them. Clients bind
// only listed tools, so without the second one a found tool could not be called.

import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { AppError } from '../kernel/errors.ts'

export const searchName = 'search_tools'
export const callName = 'call_tool'

// More would fill the context that the search saves.
const maxFound = 5

const searchInput = z.strictObject({ query: z.string().trim().min(1).max(500) })
const callInput = z.strictObject({ name: z.string().max(200), arguments: z.record(z.string(), z.unknown()).optional() })

/** The tools that are listed in place of the catalogue. */
export const searching: Tool[] = [
  {
    name: searchName,
    description: `Finds the tools of this server by words of their names and descriptions, such as "place a call". Answers the ${maxFound} that fit best with their arguments, and the names of all. Call them with ${callName}.`,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Your goal, in a few words.' } },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { title: 'Search tools', readOnlyHint: true, openWorldHint: false },
  },
  {
    name: callName,
    description: `Calls a tool that ${searchName} has found. It answers as the tool does.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the tool.' },
        arguments: { type: 'object', description: 'Its arguments, as its inputSchema has them.', additionalProperties: true },
      },
      required: ['name'],
      additionalProperties: false,
    },
    // It may call any of them.
    annotations: { title: 'Call tool', readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
]

/** The tools whose names and descriptions have most of the query's words. A word in a name counts as three in a description. */
export function searchTools(tools: readonly Tool[], given: unknown): { tools: Tool[]; names: string[] } {
  const words = [...new Set(wordsOf(inputOf(searchInput, given).query))]
  const ranked = tools
    .map(tool => {
      const [names, texts] = [wordsOf(tool.name), wordsOf(tool.description ?? '')]
      const has = (list: readonly string[], word: string) => list.some(one => one.startsWith(word))
      return { tool, rank: words.reduce((sum, word) => sum + (has(names, word) ? 3 : 0) + (has(texts, word) ? 1 : 0), 0) }
    })
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
  return { tools: ranked.slice(0, maxFound).map(({ tool }) => tool), names: tools.map(({ name }) => name) }
}

/** The call that a call of `call_tool` stands for. Throws INVALID. */
export const callOf = (given: unknown) => inputOf(callInput, given)

function inputOf<Input>(schema: z.ZodType<Input>, given: unknown): Input {
  const { data, error } = schema.safeParse(given)
  if (error) throw new AppError('INVALID', error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
  return data
}

// Without the plural's s, so that "calls" finds call_tool's description and "contact" finds contacts.
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(word => word.replace(/(?<=\w{3})s$/, ''))
