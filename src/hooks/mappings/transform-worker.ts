// The worker thread of a transform: loads the operator's module, calls it once per message and returns JSON.

import { parentPort, workerData } from 'node:worker_threads'
import type { Answer, TransformInput } from './transforms.ts'

const { url, name } = workerData as { url: string; name: string }
type Transform = (input: unknown) => unknown
let transform: Promise<Transform> | undefined

async function load(): Promise<Transform> {
  const module = (await import(url)) as Record<string, unknown>
  const found = module[name] ?? (name === 'default' ? module.transform : undefined)
  if (typeof found !== 'function') throw new Error(`the module exports no function named ${name}`)
  return found as Transform
}

parentPort?.on('message', async (input: TransformInput) => {
  let answer: Answer
  try {
    transform ??= load()
    const result = await (await transform)({ ...input, url: new URL(input.url) })
    answer = { text: JSON.stringify(result) }
  } catch (error) {
    answer = { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
  parentPort?.postMessage(answer)
})
