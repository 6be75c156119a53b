// The tour: installs, starts and stops the server through npm in a terminal, as the README says. Then runs the commands of every guide, and
// compares their output with the guide's.
//
//   npm run round -- tour                        a few minutes; installs a copy of the tree in a temporary folder
//   npm run round -- tour -t "every command"     the guides alone, on the packages that are installed here
//   npm run round -- tour -t src/voice           one guide
//   SHORT=1 npm run round -- tour                for every change: fewer moments and releases of Node, and the README alone of the guides
//
// Each story and each guide is one test. A test is skipped, with its reason, if the machine lacks what it needs (a pseudo-terminal, root for
// another user, another Node); so is a block of a guide that cannot be run.

import { execFileSync, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { guides } from '../../src/rest/docs/guides.ts'
import { blocksOf, stepsOf } from './guide.ts'
import { runSteps } from './shell.ts'
import { type At, hasTerminal, inTerminal, type Terminal } from './terminal.ts'

const root = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'rolocom-tour-'))
// A space in its name, as in "My Projects".
const home = join(scratch, 'my projects', 'rolocom')
const isShort = process.env.SHORT === '1'
const isRoot = process.getuid?.() === 0
const nobody = 65534
const noTerminal = !hasTerminal && 'needs the script command of util-linux'

/** A clean environment: PATH without node_modules, and its own HOME and npm cache. */
function shell(more: Record<string, string> = {}): Record<string, string> {
  const path = (process.env.PATH ?? '').split(':').filter(folder => !folder.includes('node_modules'))
  return { PATH: path.join(':'), HOME: scratch, TERM: 'xterm', PORT: '0', npm_config_cache: join(scratch, 'npm-cache'), ...more }
}

function story(name: string, tell: (skip: (reason: string) => void) => Promise<void>, lacking?: string | false): void {
  test(name, async ({ skip }) => {
    if (lacking) skip(lacking)
    try {
      await tell(skip)
    } finally {
      // A failed story leaves its servers running.
      for (const terminal of opened.splice(0)) terminal.interrupt()
    }
  })
}

function ensure(isTrue: unknown, sentence: string): void {
  if (!isTrue) throw new Error(sentence)
}

const readyAt = /Rolocom is ready at (\S+)/
const shownKey = /shown this once: (rcm_\w{38})/

/** Sends Ctrl-C, and fails if a process that was started in the folder still runs. */
async function interrupted(terminal: Terminal, folder: string): Promise<void> {
  terminal.interrupt()
  const status = await Promise.race([terminal.ended, sleep(15_000, 'running')])
  ensure(status !== 'running', `Ctrl-C does not end it: ${terminal.shown().slice(-800)}`)
  await nothingRuns(folder)
}

async function nothingRuns(folder: string): Promise<void> {
  let left: string[] = []
  for (let attempt = 0; attempt < 100; attempt++, await sleep(100)) {
    left = processesIn(folder)
    if (left.length === 0) return
  }
  throw new Error(`still running after 10 s:\n${left.join('\n')}`)
}

// Lines of `ps`: process id and arguments.
const processesIn = (folder: string) =>
  spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(line => line.includes(folder) || workingFolder(line).startsWith(folder))

// The working folder of the process in a line of `ps`; empty if the system does not tell.
function workingFolder(line: string): string {
  try {
    return readlinkSync(`/proc/${line.trim().split(' ')[0]}/cwd`)
  } catch {
    return ''
  }
}

const opened: Terminal[] = []
function open(command: string, at: Partial<At> = {}): Terminal {
  const terminal = inTerminal(command, { cwd: home, env: shell(), ...at })
  opened.push(terminal)
  return terminal
}
const start = (at: Partial<At> = {}) => open('npm start', at)

/** The values that the first start prints and the guides use. */
interface FirstStart {
  url: string
  key: string
  claim: string
}
let first: FirstStart | undefined

async function firstStart(terminal: Terminal): Promise<FirstStart> {
  const [, url = ''] = await terminal.see(readyAt, 600)
  const [, key = ''] = await terminal.see(shownKey)
  for (const step of ['first start', 'database up to date', 'demo organization'])
    ensure(terminal.shown().includes(step), `no line tells of: ${step}`)
  const [claim = ''] = await terminal.see(/http\S+\/claim\/\S+/)
  return { url, key, claim }
}

const textOf = (file: string) => readFileSync(join(home, file), 'utf8')

/** Runs a guide on a server of its own. All guides share one database. */
async function guideIsTrue(file: string): Promise<void> {
  rmSync(join(home, '.env'), { force: true })
  usePackages()
  // 20 s, the longest: a dial on a busy machine may outlast the 3 s after which the answer no longer shows its result.
  const env = shell({ PORT: String(await freePort()), VOICE_DISPATCH_WAIT_MS: '20000' })
  let terminal = start({ env })
  // With only guides to run, this is the first start.
  first ??= await firstStart(terminal)
  const [, url = ''] = await terminal.see(readyAt)
  const claim = first.claim.replace(/^https?:\/\/[^/]+/, url)
  const problems = await runSteps(stepsOf(blocksOf(file, textOf(file))), {
    cwd: home,
    env: { ...env, URL: url, KEY: first.key, CLAIM: claim },
    // The shell functions that the README defines for all guides. Pauses are three times as long, because the machine may be busy.
    definitions: [
      ...textOf('README.md')
        .split('\n')
        .filter(line => /^\w+\(\) \{/.test(line)),
      'sleep() { command sleep $(($1 * 3)); }',
    ].join('\n'),
    async restart() {
      terminal.interrupt()
      await terminal.ended
      terminal = start({ env })
      await terminal.see(readyAt)
    },
  })
  await interrupted(terminal, home)
  ensure(problems.length === 0, problems.join('\n'))
}

// A port for a server that a guide starts several times. It is below 32768, because the system gives ports from there on to other programs
// while the server is not running.
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768)
    const server = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise(resolve => server.close(resolve))
    if (isFree) return port
  }
}

/** Where no story has installed the copy's packages, takes those that are installed here. */
function usePackages(): void {
  if (existsSync(join(home, 'node_modules'))) return
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  execFileSync('node', ['prisma/generate.mjs'], { cwd: home, stdio: 'ignore' })
}

beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(home, file))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

story(
  'npm start before npm install says what to run',
  async () => {
    const terminal = start()
    ensure((await terminal.ended) === 1, 'it does not exit with 1')
    ensure(/Run: npm install/.test(terminal.shown()) && !/^\s+at /m.test(terminal.shown()), terminal.shown())
  },
  noTerminal,
)

story(
  'npm install && npm start: every step is told, the key is shown, Ctrl-C leaves nothing running',
  async () => {
    // This user's npm cache saves the download.
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
    const terminal = open('npm install && npm start', { env: shell({ npm_config_cache: cache }) })
    first = await firstStart(terminal)
    await interrupted(terminal, home)
  },
  noTerminal,
)

story(
  'Ctrl-C at any moment of a start ends all of it',
  async () => {
    for (const seconds of isShort ? [0.8, 2.5] : [0.3, 0.8, 1.3, 1.8, 2.5, 3.5, 5, 7]) {
      const terminal = start()
      await sleep(seconds * 1000)
      await interrupted(terminal, home)
    }
  },
  noTerminal,
)

story(
  'a server that is killed leaves no database running',
  async () => {
    const terminal = start()
    await terminal.see(readyAt)
    for (const line of processesIn(home).filter(line => line.includes('src/entry.js'))) process.kill(Number.parseInt(line, 10), 'SIGKILL')
    await terminal.ended
    await nothingRuns(home)
  },
  noTerminal,
)

story(
  'a taken port is one sentence',
  async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const terminal = start({ env: shell({ PORT: String(port) }) })
    const status = await terminal.ended
    taken.close()
    ensure(status === 1 && terminal.shown().includes(`another process listens on ${port}`), terminal.shown())
    ensure(!/^\s+at /m.test(terminal.shown()), 'a trace is shown')
    await nothingRuns(home)
  },
  noTerminal,
)

story(
  'an ordinary user has the same first start',
  async () => {
    const folder = join(scratch, 'their projects', 'rolocom')
    // Packages are shared; files that a start writes belong to the user.
    for (const name of readdirSync(home))
      if (name !== 'node_modules' && name !== '.data') cpSync(join(home, name), join(folder, name), { recursive: true })
    execFileSync('cp', ['-al', join(home, 'node_modules'), join(folder, 'node_modules')])
    for (const path of [scratch, dirname(folder)]) chownSync(path, nobody, nobody)
    execFileSync('find', [folder, '-path', '*/node_modules', '-prune', '-o', '-exec', 'chown', '-h', `${nobody}:${nobody}`, '{}', '+'])
    lchownSync(folder, nobody, nobody)
    const terminal = start({ cwd: folder, uid: nobody })
    const [, url = ''] = await terminal.see(readyAt)
    const [, key = ''] = await terminal.see(shownKey)
    const { status } = await fetch(`${url}/api/crm/v1/stats`, { headers: { authorization: `Bearer ${key}` } })
    await interrupted(terminal, folder)
    ensure(status === 200, `the printed key gets ${status}`)
  },
  noTerminal || (!isRoot && 'the other stories run as one already'),
)

for (const major of isShort ? [] : [20, 22]) {
  const folder = join(scratch, `node-${major}`)
  story(
    `with Node ${major} as the machine's own`,
    async skip => {
      usePackages()
      const { status: installed } = spawnSync('npm', ['install', '--prefix', folder, '--no-save', `node@${major}`])
      if (installed !== 0) skip(`Node ${major} could not be installed`)
      const path = `${join(folder, 'node_modules', 'node', 'bin')}:${shell().PATH}`
      const terminal = start({ env: shell({ PATH: path }) })
      const [, url = ''] = await terminal.see(readyAt)
      const { status } = await fetch(`${url}/api/dashboard`, { headers: { 'x-guest-id': 'guest' } })
      await interrupted(terminal, home)
      ensure(status === 200, `a guest gets ${status}`)
      const own = execFileSync('node', ['--version'], { env: shell({ PATH: path }), encoding: 'utf8' })
      ensure(own.startsWith(`v${major}.`), `it ran on ${own}`)
    },
    noTerminal,
  )
}

for (const { file } of isShort ? guides.filter(({ file }) => file === 'README.md') : guides) {
  const blocks = blocksOf(file, readFileSync(join(root, file), 'utf8'))
  if (stepsOf(blocks).length > 0) story(`${file}: every command prints what the guide shows`, () => guideIsTrue(file), noTerminal)
  for (const { name, notRun } of blocks) if (notRun !== undefined) story(name, async () => {}, notRun)
}
