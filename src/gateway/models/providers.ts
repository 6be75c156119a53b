// Models of Anthropic, OpenAI and servers with OpenAI's protocol, through the AI SDK.

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  RetryError,
  streamText,
  type ToolSet,
  tool,
} from 'ai'
import type { ThinkingLevel } from '../../config/gateway/enums.ts'
import { type Provider, typeOf } from '../../config/gateway/shape.ts'
import { withUserAgent } from '../../config/user-agent.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { boundedFetch } from '../../kernel/outgoing/fetch.ts'
import { emptyAccount } from '../../kernel/outgoing/refusal.ts'
import { type AgentRuntime, type Message, ModelError, type ModelPart, type ModelRequest, type Tool, type ToolCall } from './runtime.ts'

// The SDK would print unsupported settings to the console; the run shows the model and the level that were requested.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

export function createProviders(providers: Readonly<Record<string, Provider>>): AgentRuntime {
  const modelsOf = new Map(Object.entries(providers).map(([name, provider]) => [name, modelsBy(name, provider)]))
  const modelNamed = (name: string) => {
    const slash = name.indexOf('/')
    const provider = name.slice(0, slash)
    const models = modelsOf.get(provider)
    if (!models) throw new ModelError(`the provider ${provider} is not configured any more`)
    return models(name.slice(slash + 1))
  }
  return {
    answer: async request => ask(modelNamed(request.model), request),
    async *stream(request) {
      yield* streamed(modelNamed(request.model), request)
    },
  }
}

const fetchWithUserAgent: typeof fetch = (url, init) => boundedFetch(url, withUserAgent(init))

type Models = (id: string) => Exclude<LanguageModel, string>

function modelsBy(name: string, provider: Provider): Models {
  const { apiKey, baseUrl, headers } = provider
  const given = { ...(apiKey !== undefined && { apiKey }), ...(headers && { headers }), fetch: fetchWithUserAgent }
  switch (typeOf(name, provider)) {
    case 'anthropic':
      return createAnthropic({ apiKey: '', ...given, ...(baseUrl && { baseURL: baseUrl }) })
    case 'openai':
      return createOpenAI({ apiKey: '', ...given, ...(baseUrl && { baseURL: baseUrl }) })
    case 'openai-compatible':
      // Without it, a stream does not tell its tokens.
      return createOpenAICompatible({ name, baseURL: baseUrl ?? '', includeUsage: true, ...given })
  }
}

async function ask(model: Exclude<LanguageModel, string>, request: ModelRequest) {
  try {
    const { text, toolCalls, usage } = await generateText({ ...optionsOf(model, request), maxRetries: 2 })
    return {
      text,
      calls: toolCalls.map(callOf),
      inputTokens: usage.inputTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
    }
  } catch (error) {
    throw failureOf(error, request)
  }
}

async function* streamed(model: Exclude<LanguageModel, string>, request: ModelRequest): AsyncIterable<ModelPart> {
  try {
    // Without `onError` the SDK prints errors to the console. They are parts of the stream too.
    const { stream } = streamText({ ...optionsOf(model, request), maxRetries: 0, onError: () => {} })
    for await (const part of stream) {
      if (part.type === 'text-delta') yield { kind: 'text', text: part.text }
      else if (part.type === 'tool-call') yield { kind: 'call', call: callOf(part) }
      else if (part.type === 'error') throw part.error
      else if (part.type === 'abort') throw request.signal.reason
      else if (part.type === 'finish') {
        const { inputTokens = 0, outputTokens = 0 } = part.totalUsage
        yield { kind: 'usage', inputTokens, outputTokens }
      }
    }
  } catch (error) {
    throw failureOf(error, request)
  }
}

const optionsOf = (
  model: Exclude<LanguageModel, string>,
  { system, messages, tools, thinking, maxOutputTokens, signal }: ModelRequest,
) => ({
  model,
  instructions: system,
  messages: messages.flatMap(messageOf),
  tools: toolsOf(tools),
  // One step: the caller calls the tools and stores their results before the next step.
  stopWhen: isStepCount(1),
  abortSignal: signal,
  ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  ...(thinking !== null && { reasoning: reasoningOf(thinking) }),
})

interface SdkCall {
  toolCallId: string
  toolName: string
  input: unknown
}
const callOf = ({ toolCallId, toolName, input }: SdkCall): ToolCall => ({ id: toolCallId, name: toolName, input })

function failureOf(error: unknown, { signal, model }: ModelRequest): unknown {
  if (signal.aborted) return signal.reason
  return new ModelError(reasonOf(error, model.split('/', 1)[0] ?? ''), { cause: error })
}

const reasoningOf = (level: ThinkingLevel): Exclude<ThinkingLevel, 'off'> | 'none' => (level === 'off' ? 'none' : level)

// Without `execute` the SDK returns the calls instead of executing them.
function toolsOf(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, tool({ description, inputSchema: jsonSchema(inputSchema) })]),
  )
}

function messageOf(message: Message): ModelMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.text }]
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [
            ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
            ...message.calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
          ],
        },
      ]
    case 'tool':
      return [
        {
          role: 'tool',
          content: message.results.map(({ id, name, output }) => ({
            type: 'tool-result' as const,
            toolCallId: id,
            toolName: name,
            output: { type: 'text' as const, value: JSON.stringify(output) },
          })),
        },
      ]
  }
}

// The run shows the provider's response, never the request.
function reasonOf(error: unknown, name: string): string {
  if (RetryError.isInstance(error)) return reasonOf(error.lastError, name)
  if (APICallError.isInstance(error)) {
    const { statusCode, message } = error
    if (statusCode === 402) return emptyAccount(`the provider ${name} of the model`)
    return statusCode === undefined
      ? 'the model could not be reached'
      : `the model answered ${statusCode}: ${storableText(message, { maxLength: 300 })}`
  }
  return 'the model did not answer as its protocol asks'
}
