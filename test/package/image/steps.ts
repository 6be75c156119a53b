// The Dockerfile without a container engine: its steps in order, each stage in a root of its own. The system's programs stand in for those
// of the base image, so a step that needs one which only the system has is not noticed here.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, posix, relative } from 'node:path'
import { commandOf, type Instruction, type Stage, stagesOf, variablesOf } from './dockerfile.ts'
import { makeBase, makeRoot, type Rooted, runIn } from './rooted.ts'

export interface Built extends Rooted {
  entrypoint: string[]
  command: string[]
  /** The command of HEALTHCHECK. */
  health: string[]
  volumes: string[]
}

/** Runs the steps of all stages. `context`: the folder that `docker build` is given. `scratch`: an empty folder. */
export async function runSteps(context: string, dockerfile: string, scratch: string): Promise<Built> {
  makeBase(join(scratch, 'base'), npmFolder())
  const cache = npm('config', 'get', 'cache')
  const isIgnored = ignoredBy(`${dockerfile}.dockerignore`)
  const reach = registry()
  const roots: Record<string, string> = {}
  let built: Built | undefined
  for (const [index, stage] of stagesOf(dockerfile).entries()) {
    checkNode(stage)
    const root = join(scratch, `stage-${index}`)
    makeRoot(root)
    roots[stage.name ?? String(index)] = root
    built = empty(root)
    for (const instruction of stage.instructions) {
      const at = built
      const step = steps[instruction.keyword]
      if (!step) throw new Error(`${instruction.keyword} is not understood here`)
      await step(at, instruction, {
        copyFrom: (from, to) =>
          from.stage
            ? cpSync(join(roots[from.stage] ?? '', from.path), to, { recursive: true })
            : cpSync(join(context, from.path), to, {
                recursive: true,
                filter: file => !isIgnored(relative(context, file)),
              }),
        run: async command =>
          void (await runIn({ ...at, environment: { ...reach, ...at.environment }, mounted: { '/tmp/npm': cache } }, command)),
      })
    }
  }
  if (!built) throw new Error(`${dockerfile} has no stage`)
  return built
}

/** Whether a path is left out of the context. What a folder holds is left out with it. */
function ignoredBy(file: string): (path: string) => boolean {
  const patterns = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const other = patterns.find(pattern => /^[!#]/.test(pattern))
  if (other) throw new Error(`${file}: ${other} is not understood here`)
  return path => patterns.some(pattern => matchesGlob(path, pattern))
}

interface Outside {
  copyFrom(from: { stage: string | undefined; path: string }, to: string): void
  run(command: string[]): Promise<void>
}

const steps: Record<string, (at: Built, instruction: Instruction, outside: Outside) => void | Promise<void>> = {
  WORKDIR: (at, { text }) => {
    at.workdir = posix.resolve(at.workdir, text)
    mkdirSync(join(at.root, at.workdir), { recursive: true })
  },
  COPY: (at, { text, from }, { copyFrom }) => {
    const [source = '', target = '', ...more] = text.split(/\s+/)
    if (more.length > 0) throw new Error(`COPY ${text}: one source is understood here`)
    copyFrom({ stage: from, path: source }, join(at.root, posix.resolve(at.workdir, target)))
  },
  RUN: (_at, { text }, { run }) => run(commandOf(text)),
  ENV: (at, { text }) => {
    Object.assign(at.environment, variablesOf(text))
  },
  USER: (at, { text }) => {
    at.user = text
    at.environment.HOME = '/home/node'
  },
  VOLUME: (at, { text }) => {
    at.volumes.push(text)
  },
  EXPOSE: () => {},
  HEALTHCHECK: (at, { text }) => {
    at.health = commandOf(text.replace(/^CMD\s+/, ''))
  },
  ENTRYPOINT: (at, { text }) => {
    at.entrypoint = commandOf(text)
  },
  CMD: (at, { text }) => {
    at.command = commandOf(text)
  },
}

const empty = (root: string): Built => ({
  root,
  workdir: '/',
  user: '0:0',
  environment: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
  mounted: {},
  isReadOnly: false,
  entrypoint: [],
  command: [],
  health: [],
  volumes: [],
})

function checkNode({ from: { image, tag } }: Stage): void {
  const [major] = process.versions.node.split('.')
  if (image !== 'node' || !tag.startsWith(`${major}-`)) throw new Error(`FROM ${image}:${tag}: here is Node ${major}`)
}

// Not by `npm root --global`, which looks beside the Node that runs it.
function npmFolder(): string {
  const { npm_execpath: file } = process.env
  if (!file) throw new Error('Run it by npm run round -- image')
  return dirname(dirname(file))
}

const npm = (...args: string[]) => execFileSync('npm', args, { encoding: 'utf8' }).trim()

// What npm needs to reach its registry from here, which `docker build` takes from its own settings. The installation of this project has
// filled the cache; some registries forbid to reuse what it holds, and without prefer_offline npm would fetch every archive again.
function registry(): Record<string, string> {
  const reached = Object.entries(process.env).filter(([name]) => /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name))
  return {
    ...(Object.fromEntries(reached) as Record<string, string>),
    npm_config_registry: npm('config', 'get', 'registry'),
    npm_config_cache: '/tmp/npm',
    npm_config_prefer_offline: 'true',
  }
}
