// The guardian: a process that outlives ours by seconds, and stops the embedded database when ours could not (kill -9, a crash).

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// 3 s: a process that is started again at once adopts the running database, which is quicker than starting it.
const graceSeconds = 3

// A shell, because it waits in 1 MB of memory; Node is started only when there is something to stop. `read` succeeds when a line comes,
// which dismisses it, and fails at the end of its input: the kernel closes that when our process ends, however it ends.
const script = `read -r line && exit; sleep ${graceSeconds}; exec "$0" "$@"`

export interface Guardian {
  /** Called by a process that has left the database itself. */
  dismiss(): void
}

/** Watches this process. Once it has ended without `dismiss`, the database in the folder is stopped unless another process uses it. */
export function startGuardian(dataDir: string): Guardian {
  const program = fileURLToPath(new URL('./stop-unused.ts', import.meta.url))
  // In a session of its own, so that no signal of a terminal or to our group reaches it.
  const child = spawn('/bin/sh', ['-c', script, process.execPath, program, dataDir], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell, or without memory for one, the database is adopted by the next start, as ever.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  return { dismiss: () => child.stdin.end('left\n') }
}
