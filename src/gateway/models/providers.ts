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
  type ToolSet,
  tool,
} from 'ai'
import type { ThinkingLevel } from '../../config/gateway/enums.ts'
import { type Provider, typeOf } from '../../config/gateway/shape.ts'
import { withUserAgent } from '../../config/user-agent.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { boundedFetch } from '../../kernel/outgoing/fetch.ts'
import { emptyAccount } from '../../kernel/outgoing/refusal.ts'
import { type AgentRuntime, type Message, ModelError, type ModelRequest, type Tool } from './runtime.ts'

// The SDK would print unsupported settings to the console; the run shows the model and the level that were requested.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

export function createProviders(providers: Readonly<Record<string, Provider>>): AgentRuntime {
  const modelsOf = new Map(Object.entries(providers).map(([name, provider]) => [name, modelsBy(name, provider)]))
  return {
    async answer(request) {
      const slash = request.model.indexOf('/')
      const provider = request.model.slice(0, slash)
      const models = modelsOf.get(provider)
      if (!models) throw new ModelError(`the provider ${provider} is not configured any more`)
      return ask(models(request.model.slice(slash + 1)), request)
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
      return createOpenAICompatible({ name, baseURL: baseUrl ?? '', ...given })
  }
}

async function ask(model: Exclude<LanguageModel, string>, request: ModelRequest) {
  const { system, messages, tools, thinking, signal } = request
  try {
    const { text, toolCalls, usage } = await generateText({
      model,
      instructions: system,
      messages: messages.flatMap(messageOf),
      tools: toolsOf(tools),
      // One step: the caller calls the tools and stores their results before the next step.
      stopWhen: isStepCount(1),
      maxRetries: 2,
      abortSignal: signal,
      ...(thinking !== null && { reasoning: reasoningOf(thinking) }),
    })
    return {
      text,
      calls: toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
      inputTokens: usage.inputTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new ModelError(reasonOf(error, request.model.split('/', 1)[0] ?? ''), { cause: error })
  }
}

const reasoningOf = (level: ThinkingLevel) => (level === 'off' ? 'none' : level)

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
