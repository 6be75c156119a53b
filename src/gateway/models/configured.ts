// The models of a process: the offline model, and the models of the configured providers, loaded at first use.

import { offlineModel } from '../../config/gateway/models.ts'
import type { Provider } from '../../config/gateway/shape.ts'
import { shorten } from '../../kernel/input/cut.ts'
import type { AgentRuntime, Message, ModelRequest } from './runtime.ts'

export function createRuntime(providers: Readonly<Record<string, Provider>>): AgentRuntime {
  let configured: Promise<AgentRuntime> | undefined
  const runtimeOf = async ({ model }: ModelRequest): Promise<AgentRuntime> => {
    if (model === offlineModel) return offlineRuntime
    // The libraries take 200 ms to load, which a process without runs does not need.
    configured ??= import('./providers.ts').then(({ createProviders }) => createProviders(providers))
    return configured
  }
  return {
    answer: async request => (await runtimeOf(request)).answer(request),
    async *stream(request) {
      yield* (await runtimeOf(request)).stream(request)
    },
  }
}

/** The model without a provider: it repeats its input deterministically. */
const offlineRuntime: AgentRuntime = {
  async answer({ messages, signal }) {
    signal.throwIfAborted()
    const given = lastGiven(messages)
    const isQuiet = !given.includes('<<<UNTRUSTED') && !given.includes('System events') && given.includes('HEARTBEAT_OK')
    const text = isQuiet ? 'HEARTBEAT_OK' : summaryOf(given)
    // No tokens, because no model was asked.
    return { text, calls: [], inputTokens: 0, outputTokens: 0 }
  },
  async *stream(request) {
    const { text, inputTokens, outputTokens } = await offlineRuntime.answer(request)
    yield { kind: 'text', text }
    yield { kind: 'usage', inputTokens, outputTokens }
  },
}

const maxExcerpt = 400

function lastGiven(messages: readonly Message[]): string {
  const last = messages.findLast(message => message.role === 'user')
  return last?.role === 'user' ? last.text : ''
}

function summaryOf(given: string): string {
  const text = given
    .split('\n')
    .filter(line => !/^<<<(END )?UNTRUSTED .*>>>$/.test(line))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  const words = text === '' ? 0 : text.split(' ').length
  const excerpt = shorten(text, maxExcerpt + 1)
  return `[offline model: no model is configured, so this only repeats its input of ${words} words] ${excerpt}`
}
