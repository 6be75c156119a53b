// An image and its server by Docker.

import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import type { Container, Image } from './container.ts'
import { stagesOf } from './dockerfile.ts'

const docker = async (...args: string[]) => (await promisify(execFile)('docker', args, { maxBuffer: 50_000_000 })).stdout.trim()

/** Why Docker cannot build it here, or nothing. */
export function missing(dockerfile: string): string | undefined {
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) return 'no container engine'
  for (const { image, tag } of stagesOf(dockerfile).map(({ from }) => from))
    if (spawnSync('docker', ['pull', '--quiet', `${image}:${tag}`], { stdio: 'ignore' }).status !== 0) return `no ${image}:${tag}`
  return undefined
}

export async function buildByDocker(context: string, dockerfile: string, name: string): Promise<Image> {
  await docker('build', '--file', dockerfile, '--tag', name, context)
  await docker('volume', 'create', name)
  return {
    run: ([program = '', ...args]) => docker('run', '--rm', '--entrypoint', program, name, ...args),
    start: async settings => {
      const environment = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`])
      const confined = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
      const port = `127.0.0.1:${settings.PORT}:${settings.PORT}`
      const id = await docker('run', '--detach', ...confined, '--volume', `${name}:/data`, '--publish', port, ...environment, name)
      return serverOf(id)
    },
    remove: async () => {
      await docker('volume', 'rm', '--force', name)
      await docker('image', 'rm', '--force', name)
    },
  }
}

const serverOf = (id: string): Container => ({
  isHealthy: async () => {
    const [status, health] = (await docker('inspect', '--format', '{{.State.Status}} {{.State.Health.Status}}', id)).split(' ')
    if (status !== 'running') throw new Error(`The server ended\n${(await docker('logs', '--tail', '50', id)).slice(-3_000)}`)
    return health === 'healthy'
  },
  stop: async graceSeconds => {
    await docker('stop', '-t', String(graceSeconds), id)
    const status = Number(await docker('inspect', '--format', '{{.State.ExitCode}}', id))
    await docker('rm', '--force', '--volumes', id)
    return status
  },
})
