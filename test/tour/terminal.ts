// Runs a command in a pseudo-terminal, which sends Ctrl-C to the whole foreground process group, as for a person.

import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

/** `script` of util-linux creates the terminal; on other systems it has other options. */
export const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

export interface Terminal {
  /** The output so far, without colours. */
  shown(): string
  /** The same as it came. */
  raw(): string
  /** Resolves with the match when the output contains it. */
  see(pattern: RegExp, seconds?: number): Promise<RegExpExecArray>
  interrupt(): void
  /** Types the text; Enter is \r. */
  type(text: string): void
  /** Resolves with the exit status. */
  ended: Promise<number | null>
}

export interface At {
  cwd: string
  env: Record<string, string>
  /** The user id of the command, if the tour runs as root. */
  uid?: number
}

export function inTerminal(command: string, { cwd, env, uid }: At): Terminal {
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let raw = ''
  child.stdout.on('data', chunk => (raw += chunk))
  let isOver = false
  const ended = new Promise<number | null>(resolve => child.on('close', resolve)).finally(() => (isOver = true))
  const shown = () => stripVTControlCharacters(raw).replaceAll('\r', '')
  return {
    shown,
    raw: () => raw,
    ended,
    interrupt: () => void (isOver || child.stdin.write('\x03')),
    type: text => void (isOver || child.stdin.write(text)),
    async see(pattern, seconds = 120) {
      for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(50)) {
        const found = pattern.exec(shown())
        if (found) return found
        if (isOver) break
      }
      throw new Error(`${command} does not show ${pattern}, but\n${shown().slice(-1500)}`)
    },
  }
}
