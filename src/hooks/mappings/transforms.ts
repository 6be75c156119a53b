// Transforms: the operator's modules that turn payloads into actions. Each call has its own worker thread, which can be terminated, and
// which sees neither the environment nor the sender's credentials.

import { realpathSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import { parseJson } from '../../kernel/input/json-text.ts'
import type { TemplateScope } from './templates.ts'

interface TransformModule {
  module: string
  export: string
}

/** The argument of a transform. */
export interface TransformInput extends TemplateScope {
  url: string
}

export interface Transforms {
  /**
   * Calls the module. Resolves with null for no action, otherwise with fields that replace the mapping's. Throws INVALID if the
   * module fails or times out.
   */
  run(transform: TransformModule, input: TransformInput): Promise<unknown>
  close(): Promise<void>
}

/** The message of a worker thread. */
export type Answer = { text: string | undefined; failure?: undefined } | { text?: undefined; failure: string }

const script = new URL('transform-worker.ts', import.meta.url)
const extensions = ['.ts', '.mts', '.js', '.mjs']

/** The module's real path. Throws an error with a sentence if it is not a file, or is outside the folder. */
export function moduleFile(folder: string, module: string): string {
  const root = realPath(folder, `hooks.transformsDir ${folder} does not exist`)
  const file = realPath(resolve(root, module), `the transform ${module} does not exist in ${folder}`)
  const inside = relative(root, file)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw new Error(`the transform ${module} is not inside of ${folder}`)
  if (!extensions.includes(extname(file))) throw new Error(`the transform ${module} must be one of ${extensions.join(', ')}`)
  return file
}

function realPath(path: string, sentence: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    throw new Error(sentence)
  }
}

/**
 * `deadlineMs` includes the start of the thread. `idleMs`: how long an unused thread is kept, by default a minute. Shorter: threads are started
 * again within a burst of requests; longer: an idle thread keeps its 10 MB.
 */
export function createTransforms(folder: string, { deadlineMs = 10_000, idleMs = 60_000 } = {}): Transforms {
  const idle = new Map<string, { worker: Worker; timer: NodeJS.Timeout }[]>()
  const all = new Set<Worker>()
  let stamp = ''

  const end = (worker: Worker) => {
    all.delete(worker)
    return worker.terminate()
  }
  const acquire = (file: string, name: string): Worker => {
    const waiting = idle.get(`${file}\n${name}`)?.pop()
    if (waiting) {
      clearTimeout(waiting.timer)
      return waiting.worker
    }
    const worker = new Worker(script, {
      workerData: { url: pathToFileURL(file).href, name },
      env: {},
      execArgv: [],
      // The output of a module may contain payloads, so it is dropped.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    })
    worker.stdout.resume()
    worker.stderr.resume()
    worker.on('error', () => all.delete(worker))
    worker.on('exit', () => all.delete(worker))
    all.add(worker)
    return worker
  }
  const release = (file: string, name: string, worker: Worker, takenAt: string) => {
    if (takenAt !== stamp || !all.has(worker)) return void end(worker)
    const key = `${file}\n${name}`
    const timer = setTimeout(() => {
      const left = idle.get(key) ?? []
      idle.set(
        key,
        left.filter(other => other.worker !== worker),
      )
      end(worker)
    }, idleMs).unref()
    idle.set(key, [...(idle.get(key) ?? []), { worker, timer }])
    worker.unref()
  }
  // Modules are cached by thread, so a change of the file, or of a file that it may import, needs new threads.
  const refresh = async () => {
    const now = await stampOf(folder)
    if (now === stamp) return
    stamp = now
    for (const { worker, timer } of [...idle.values()].flat()) {
      clearTimeout(timer)
      end(worker)
    }
    idle.clear()
  }

  return {
    async run({ module, export: name }, input) {
      const errorOf = (cause: unknown) => new AppError('INVALID', `The transform ${module} could not handle this payload`, { cause })
      let file: string
      try {
        file = moduleFile(folder, module)
        await refresh()
      } catch (error) {
        throw errorOf(error)
      }
      const takenAt = stamp
      const worker = acquire(file, name)
      worker.ref()
      try {
        const answer = await answerOf(worker, input, deadlineMs)
        if (answer.failure !== undefined) throw new Error(answer.failure)
        release(file, name, worker, takenAt)
        return answer.text === undefined ? undefined : parseJson(answer.text)
      } catch (error) {
        end(worker)
        throw errorOf(error)
      }
    },
    async close() {
      await Promise.all([...all].map(end))
    },
  }
}

function answerOf(worker: Worker, input: TransformInput, deadlineMs: number): Promise<Answer> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs / 1000} seconds`)), deadlineMs)
  const onExit = () => reject(new Error('the module ended its thread'))
  worker.once('message', settle).once('error', reject).once('exit', onExit)
  worker.postMessage(input)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', settle).off('error', reject).off('exit', onExit)
  })
}

async function stampOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() || entry.isSymbolicLink()).slice(0, 1000)
  const stamps = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      const found = await stat(path, { bigint: true }).catch(() => null)
      return `${path}:${found?.mtimeNs}:${found?.size}`
    }),
  )
  return stamps.join('\n')
}
