// The guardian: a process that stops the embedded database some seconds after this process was killed or has crashed.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// 3 s: a process that is restarted at once can use the running database, which is quicker than starting it.
const graceSeconds = 3

// A shell waits in 1 MB of memory; Node is started only to stop the database. `read` succeeds when it gets a line, which dismisses the
// guardian, and fails at the end of its input, which the kernel closes when this process ends in any way.
const script = `read -r line && exit; sleep ${graceSeconds}; exec "$0" "$@"`

export interface Guardian {
  /** Ends the guardian, when this process has stopped using the database itself. */
  dismiss(): void
}

/** Starts a guardian of this process. When the process ends without `dismiss`, it stops the database unless another process uses it. */
export function startGuardian(dataDir: string): Guardian {
  const program = fileURLToPath(new URL('./stop-unused.ts', import.meta.url))
  // In a session of its own, so that signals from the terminal or to our process group do not reach it.
  const child = spawn('/bin/sh', ['-c', script, process.execPath, program, dataDir], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell there is no guardian; the database then runs on until the next start uses it.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  return { dismiss: () => child.stdin.end('left\n') }
}
