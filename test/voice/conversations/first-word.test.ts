// The deadline of a model's first word, with models in this process.

import { expect, test } from 'vitest'
import type { AgentRuntime, ModelRequest } from '../../../src/gateway/models/runtime.ts'
import { createThinker } from '../../../src/voice/conversations/model-thinker.ts'
import type { Speaker } from '../../../src/voice/conversations/thinker.ts'

const speaker: Speaker = {
  name: 'Ada',
  instructions: null,
  firstMessage: null,
  extraction: {},
  language: null,
  models: ['slow/a', 'quick/b'],
}

/** Models of which the slow one says nothing, and the quick one a word, then a second one after the deadline. */
const runtime: AgentRuntime = {
  answer: () => Promise.reject(new Error('nobody asks')),
  async *stream({ model, signal }: ModelRequest) {
    const wait = (ms: number) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms)
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason)
        })
      })
    if (model === 'slow/a') await wait(60_000)
    yield { kind: 'text', text: 'One ' }
    await wait(300)
    yield { kind: 'text', text: 'two' }
    yield { kind: 'usage', inputTokens: 1, outputTokens: 2 }
  },
}

async function said(models: readonly string[]): Promise<string> {
  const { think } = createThinker({ runtime, firstWordMs: 100 })
  let text = ''
  const asked = { speaker: { ...speaker, models }, turns: [], tools: [], now: new Date(), signal: AbortSignal.timeout(20_000) }
  for await (const thought of think(asked)) if (thought.kind === 'text') text += thought.text
  return text
}

test('a model without a first word in time is left for the next one, which may take its time for the others', async () => {
  expect(await said(['slow/a', 'quick/b'])).toBe('One two')
})

test('the last model that says nothing fails the answer with its name', async () => {
  await expect(said(['slow/a'])).rejects.toThrow('the model slow/a did not begin within 100 ms')
})
