// Tools over MCP: the tools of agents (schema/operations/tools), and tools for decisions of people (schema/operations/mcp). A caller sees and
// calls those that its scopes allow.

import { type CallToolRequest, type CallToolResult, ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server'
import type { Config } from '../config/environment.ts'
import { present } from '../graphql/execute/errors.ts'
import { execute, prepare } from '../graphql/execute/run.ts'
import { checkVariables } from '../graphql/execute/values.ts'
import type { Effect } from '../graphql/schema/builder.ts'
import type { Context } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { operationIdOf } from '../kernel/idempotency/idempotency.ts'
import { cutText } from '../kernel/input/cut.ts'
import { scopesOf } from '../kernel/principal.ts'
import { allows, type Entry, entriesNamed, unknownField } from '../tools/entries.ts'
import { failure } from './failure.ts'
import { type Call, keyOf } from './repeated.ts'
import { callName, callOf, searching, searchName, searchTools } from './search.ts'

export interface McpTools {
  /** The tools that the caller's scopes allow; instead of more than MCP_LISTED_TOOLS, those that search and call them. */
  list(context: Context): Tool[]
  isSearched(context: Context): boolean
  /** Calls a tool. A refusal of the platform is a result with `isError`; rejects only for an unknown name. */
  call(context: Context, params: CallToolRequest['params'], call: Call): Promise<CallToolResult>
  /** Whether a message calls a tool that changes something. */
  isWrite(message: unknown): boolean
}

/** The argument that every tool with an effect takes beside its own. */
const dryRun = 'dry_run'

// Names that tools had before. They are called by them, too, and are not listed.
const formerNames: Readonly<Record<string, string>> = { merge_contacts: 'merge_records' }
const nameOf = (given: string) => (Object.hasOwn(formerNames, given) ? (formerNames[given] ?? given) : given)

// In characters. Two pages of 200 contacts; more would fill the context of most models.
const maxOutput = 200_000

export function createMcpTools(): McpTools {
  // Described on first use: a process of another role never needs them.
  let known: Map<string, Entry> | undefined
  const entries = () => (known ??= new Map([...entriesNamed('Tool'), ...entriesNamed('McpTool')]))

  const executeCall = async (context: Context, entry: Entry, { arguments: given = {} }: CallToolRequest['params'], call: Call) => {
    if (!allows(scopesOf(context.principal), entry)) throw new AppError('FORBIDDEN', `${entry.name} needs the scope ${entry.scope}`)
    const { input, isTried } = entry.effect ? withoutDryRun(given) : { input: given, isTried: false }
    const unknown = unknownField(entry, input)
    if (unknown !== null) throw new AppError('INVALID', unknown)
    checkVariables(input)
    if (isTried) context.dryRun = {}
    else if (entry.effect) context.idempotency = keyOf(call, entry.name, input)

    return execute(prepare(entry.document), context, input)
  }

  const entriesFor = ({ principal }: Context) => [...entries().values()].filter(entry => allows(scopesOf(principal), entry))
  const describeTools = (context: Context) => entriesFor(context).map(entry => describe(entry, context.services.config))
  const isSearched = (context: Context) => entriesFor(context).length > context.services.config.MCP_LISTED_TOOLS

  return {
    list: context => (isSearched(context) ? searching : describeTools(context)),
    isSearched,
    async call(context, given, call) {
      let params = given
      try {
        if (given.name === searchName) return answer({ ...searchTools(describeTools(context), given.arguments ?? {}) })
        if (given.name === callName) params = { ...given, ...callOf(given.arguments ?? {}) }
      } catch (error) {
        return failure(present(error, context))
      }
      const entry = entries().get(nameOf(params.name))
      if (!entry) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${cutText(params.name, 64)}`)
      try {
        const { data, errors, extensions } = await executeCall(context, entry, params, call)
        if (errors?.[0]) return failure(errors[0])
        // `as`: a tool's document asks for one field, which is an object. See output-schema.ts.
        const found = Object.values(data ?? {})[0] as Record<string, unknown>
        const result = extensions?.dryRun ? { ...found, [dryRun]: extensions.dryRun } : found
        const isWritten = entry.effect && !context.dryRun
        return {
          ...answer(result),
          ...(isWritten && {
            _meta: { 'rolocom/operationId': operationIdOf(context), 'rolocom/replayed': context.idempotency?.replayed === true },
          }),
        }
      } catch (error) {
        return failure(present(error, context))
      }
    },
    isWrite(message) {
      const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown; arguments?: { name?: unknown } | null } }
      const name = params?.name === callName ? params.arguments?.name : params?.name
      return method === 'tools/call' && Boolean(entries().get(nameOf(String(name)))?.effect)
    },
  }
}

function answer(result: Record<string, unknown>): CallToolResult {
  const text = JSON.stringify(result)
  if (text.length > maxOutput) throw new AppError('PAYLOAD_TOO_LARGE', `The answer has more than ${maxOutput} characters`)
  return { content: [{ type: 'text', text }], structuredContent: result }
}

function withoutDryRun({ [dryRun]: isTried = false, ...input }: Record<string, unknown>) {
  if (typeof isTried !== 'boolean') throw new AppError('INVALID', `${dryRun} is true or false`)
  return { input, isTried }
}

function describe({ name, description, inputSchema, outputSchema, effect }: Entry, config: Config): Tool {
  const tried = {
    input: { type: 'boolean', default: false, description: 'Only tries it: nothing changes, and the answer tells what would.' },
    output: { type: 'object', description: 'Of a dry run: the events, credits and times that the call would have had.' },
  }
  return {
    name,
    description,
    // `as`: schemas of tools are objects. See input-schema.ts and output-schema.ts.
    inputSchema: (effect ? withProperty(inputSchema, tried.input) : inputSchema) as Tool['inputSchema'],
    outputSchema: (effect ? withProperty(outputSchema, tried.output) : outputSchema) as Tool['outputSchema'],
    annotations: {
      title: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '),
      readOnlyHint: effect === null,
      ...(effect && {
        // Clients ask a person before a destructive call, so calls that reach people for good count as destructive.
        destructiveHint: effect.overwrites || (effect.reachesOutside && effect.undoneBy === null),
        idempotentHint: effect.isIdempotent,
      }),
      openWorldHint: effect?.reachesOutside ?? false,
    },
    _meta: {
      'rolocom/cost': costOf(effect, config),
      'rolocom/reversible': effect === null ? null : effect.undoneBy !== null,
      'rolocom/undoneBy': effect?.undoneBy ?? null,
    },
  }
}

const withProperty = (schema: Record<string, unknown>, added: object) => ({
  ...schema,
  properties: { ...(schema.properties as object), [dryRun]: added },
})

/** `credits` is null when the price depends on the input. */
function costOf(effect: Effect | null, config: Config) {
  if (!effect?.cost) return { credits: 0, per: null }
  const { setting, per } = effect.cost
  return { credits: setting && Number(config[setting]), per }
}
