// The door for the gateway's agents: offers stored documents as tools, described by the schema, and executes them in process with the run's
// scopes. For tools of other agents, over MCP, see mcp/tools.ts.

import type { AgentTools, ToolCall, ToolCaller } from '../gateway/models/runtime.ts'
import { execute, prepare } from '../graphql/execute/run.ts'
import { createContext, type Services } from '../kernel/context.ts'
import { cutText } from '../kernel/input/cut.ts'
import { creditsOf } from '../kernel/money.ts'
import type { Principal, Scope } from '../kernel/principal.ts'
import { allows, type Entry, entriesNamed, unknownField } from './entries.ts'

// In characters. 20,000: more than a page of ten complete contacts, and little enough for a model's context.
const maxOutput = 20_000

export function createAgentTools(services: Services): AgentTools {
  // Described on first use: a process of another role never needs them.
  let known: Map<string, Entry> | undefined
  const entries = () => (known ??= entriesNamed('Tool'))

  return {
    listFor: scopes =>
      [...entries().values()]
        .filter(entry => allows(scopes, entry))
        .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    async call({ name, input }: ToolCall, run: ToolCaller, key: string) {
      const entry = entries().get(name)
      if (!entry || !allows(run.scopes, entry)) return failure('NOT_FOUND', `There is no tool named ${name}`)
      if (input === null || typeof input !== 'object' || Array.isArray(input)) return failure('INVALID', 'The input must be an object')
      const unknown = unknownField(entry, input)
      if (unknown !== null) return failure('INVALID', unknown)

      const { runId, orgId, creditCeiling } = run
      const scopes = run.scopes as readonly (Scope | '*')[]
      const principal: Principal = { kind: 'hook', name: run.name, orgId, runId, scopes, creditCeiling: creditsOf(creditCeiling) }
      const context = createContext(services, { principal, requestId: runId, door: 'tools', idempotencyKey: key, sent: input })
      const { data, errors } = await execute(prepare(entry.document), context, input as Record<string, unknown>)
      if (errors?.[0]) return failure(String(errors[0].extensions.code), errors[0].message, errors[0].extensions)
      return shortenAnswer(Object.values(data ?? {})[0])
    },
  }
}

// The error that the model receives: code, message and extras, such as the id of an existing contact.
function failure(code: string, message: string, extensions: Readonly<Record<string, unknown>> = {}): unknown {
  const { code: _, status: __, requestId: ___, ...extras } = extensions
  return { error: { code, message, ...extras } }
}

function shortenAnswer(data: unknown): unknown {
  const text = JSON.stringify(data)
  return text.length > maxOutput ? { cut: `The answer was longer than ${maxOutput} characters`, begin: cutText(text, maxOutput) } : { data }
}
