// The models of a process: the offline one, and the configured providers once the first of them is asked.

import type { AgentRuntime } from '../agent-runtime.ts'
import { offlineModel } from '../models.ts'
import type { Provider } from '../settings-shape.ts'
import { offlineRuntime } from './offline.ts'

export function createRuntime(providers: Readonly<Record<string, Provider>>): AgentRuntime {
  let configured: Promise<AgentRuntime> | undefined
  return {
    async answer(request) {
      if (request.model === offlineModel) return offlineRuntime.answer(request)
      // Their libraries take a fifth of a second to load: a process that never asks a model starts without them.
      configured ??= import('./providers.ts').then(({ createProviders }) => createProviders(providers))
      return (await configured).answer(request)
    },
  }
}
