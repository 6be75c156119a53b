// Runs the steps of a guide in one shell, so that variables last from step to step.

import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { differences, type Step } from './guide.ts'

export interface Place {
  cwd: string
  env: Record<string, string>
  /** Commands before the first step: what the tour defines. */
  definitions: string
  /** Stops the server and starts it again. */
  restart(): Promise<void>
}

// 300 s: five commands that each start a process take a minute on a busy machine.
const secondsPerStep = 300

/** Runs the steps. Resolves with the problems. Steps after one that ends the shell are not run. */
export async function runSteps(steps: readonly Step[], { cwd, env, definitions, restart }: Place): Promise<string[]> {
  const shell = spawn('bash', ['-s'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  let isOver = false
  shell.stdout.on('data', chunk => (output += chunk))
  shell.stderr.on('data', chunk => (errors += chunk))
  shell.stdin.on('error', () => {})
  shell.on('close', () => (isOver = true))

  // The commands are in a file, so that none of them reads the next ones from stdin.
  const script = join(cwd, '.tour-step.sh')
  async function run(commands: string, mark: string): Promise<{ printed: string; status: number | undefined }> {
    writeFileSync(script, commands)
    output = ''
    errors = ''
    shell.stdin.write(`source '${script}' </dev/null\necho "--- ${mark} $?"\n`)
    const end = new RegExp(`--- ${mark} (\\d+)\n`)
    for (const deadline = Date.now() + secondsPerStep * 1000; Date.now() < deadline && !isOver && !end.test(output); ) await sleep(20)
    const found = end.exec(output)
    return { printed: output.slice(0, found?.index), status: found ? Number(found[1]) : undefined }
  }

  const problems: string[] = []
  try {
    await run(`set -u\n${definitions}`, 'definitions')
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'write') {
        mkdirSync(dirname(join(cwd, step.path)), { recursive: true })
        writeFileSync(join(cwd, step.path), step.text)
      } else if (step.kind === 'start') await restart()
      else {
        const { printed, status } = await run(step.commands, `step ${index}`)
        const found = differences(printed, step.expected)
        if (status === undefined) found.push(`does not come to its end: ${errors.trim().slice(-800)}`)
        else if (status !== 0) found.push(`ends with ${status}: ${errors.trim().slice(-800)}`)
        problems.push(...found.map(problem => `${step.name}: ${problem}`))
        if (status === undefined) break
      }
    }
  } finally {
    shell.kill()
    rmSync(script, { force: true })
  }
  return problems
}
