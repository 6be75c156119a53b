// A load of a fixed rate: each door repeats one act, which does not overlap with itself, so that a slow machine does less instead of piling up.

import { setTimeout as sleep } from 'node:timers/promises'

export interface Door {
  name: string
  /** Milliseconds from the beginning of one act to that of the next. */
  everyMs: number
  /** Does what a client does, and throws where the answer is another one than it should be. `turn`: 0, 1, 2, ... */
  act(turn: number): Promise<void>
}

export interface Count {
  acts: number
  /** The first ten. */
  failures: string[]
  failed: number
}

export function startLoad(doors: readonly Door[]) {
  const counts = new Map<string, Count>(doors.map(({ name }) => [name, { acts: 0, failures: [], failed: 0 }]))
  let isStopped = false
  let paused: PromiseWithResolvers<void> | undefined
  let running = 0
  const repeat = async ({ name, everyMs, act }: Door, index: number) => {
    const count = counts.get(name) as Count
    // Not all at once.
    await sleep((everyMs * index) / doors.length)
    for (let turn = 0; !isStopped; turn++) {
      await paused?.promise
      const begin = performance.now()
      running++
      try {
        await act(turn)
        count.acts++
      } catch (error) {
        count.failed++
        if (count.failures.length < 10)
          count.failures.push(error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error))
      }
      running--
      await sleep(Math.max(0, everyMs - (performance.now() - begin)))
    }
  }
  const repeating = doors.map(repeat)
  return {
    counts,
    /** Lets no act begin until `resume`; resolves when those under way are over. */
    async pause(): Promise<void> {
      paused = Promise.withResolvers()
      while (running > 0) await sleep(20)
    },
    resume(): void {
      paused?.resolve()
      paused = undefined
    },
    async stop(): Promise<void> {
      isStopped = true
      paused?.resolve()
      paused = undefined
      await Promise.all(repeating)
    },
  }
}
