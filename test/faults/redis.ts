// A Redis of a row's own, to be paused and killed.

import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { pathOf } from './tools.ts'

export interface Redis {
  url: string
  /** It keeps its connections and answers nothing. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

export async function startRedis(folder: string): Promise<Redis> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = spawn(pathOf('redis-server') ?? 'redis-server', args, { stdio: 'ignore' })
  for (const deadline = Date.now() + 20_000; !(await accepts(port)); await sleep(20))
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('Redis did not start')
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
