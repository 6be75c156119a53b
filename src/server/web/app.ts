// The web app of a server: its build, which a start makes in a process of its own where it is missing or outdated, and after it the bundle,
// for the next start.

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { ConfigError } from '../../config/environment.ts'
import { canBuild, folderOf, isBuilt, isCurrent } from './current.ts'

export interface WebApp {
  /** The folder of the build. Rejects with a sentence where there is none. Pending while it is built. */
  folder: Promise<string>
  /** Starts the build where one is needed. Called when the server is ready, so that it does not wait for it. */
  build(): void
  /** Ends a build that is in progress. */
  stop(): void
}

/** Why there are no pages: a sentence for who asks for one. */
export class NoBuild extends Error {}

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** In production a build must be there, and current where the packages to make another are: throws ConfigError. */
export function openWebApp({ isProduction, log, root = projectRoot }: { isProduction: boolean; log: Logger; root?: string }): WebApp {
  if (isCurrent(root) || (isBuilt(root) && !canBuild(root))) return webAppIn(Promise.resolve(folderOf(root)))
  if (isProduction)
    throw new ConfigError([
      `The web app ${isBuilt(root) ? 'is older than its sources' : 'is not built'}. Run: npm run build (with the development packages), or leave web out of ROLES`,
    ])
  if (!canBuild(root))
    return webAppIn(failWith('The web app is not built, and the packages to build it are not installed. Run: npm install'))
  return building(log, root)
}

const webAppIn = (folder: Promise<string>): WebApp => ({ folder, build() {}, stop() {} })

// Whether anybody asks for the page or not, the process goes on.
function failWith(sentence: string): Promise<never> {
  const rejected = Promise.reject(new NoBuild(sentence))
  rejected.catch(() => {})
  return rejected
}

function building(log: Logger, root: string): WebApp {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  promise.catch(() => {})
  let end = () => {}
  return {
    folder: promise,
    build() {
      const started = performance.now()
      log.info(
        `building the web app, which is ${isBuilt(root) ? 'older than its sources' : 'not built yet'}; pages wait for it, the API does not`,
      )
      const child = fork(main, ['build'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
      let output = ''
      const keep = (chunk: Buffer) => void (output = `${output}${chunk}`.slice(-maxOutput))
      child.stdout?.on('data', keep)
      child.stderr?.on('data', keep)
      let isStopping = false
      child.once('message', () => {
        log.info(`the web app is built, in ${((performance.now() - started) / 1000).toFixed(1)} s`)
        resolve(folderOf(root))
      })
      child.once('close', status => {
        if (status !== 0 && !isStopping) log.error({ output }, 'a build failed: npm run build says why')
        reject(new NoBuild('The web app could not be built. Run npm run build, which says why'))
      })
      end = () => {
        isStopping = true
        child.kill()
      }
    },
    stop: () => end(),
  }
}

// Characters of the log entry of a failed build.
const maxOutput = 4000
