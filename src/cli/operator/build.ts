// build: makes dist/, which production and the package run: the web app, the bundle of the server, the client library.

import { setPriority } from 'node:os'
import { buildClient } from '../../server/bundle/client.ts'
import { buildServer } from '../../server/bundle/server.ts'
import { projectRoot } from '../../server/web/app.ts'
import { buildWeb } from '../../server/web/build.ts'
import { canBuild } from '../../server/web/current.ts'
import { CommandError } from '../terminal.ts'

const parts = {
  'the web app into dist/web': buildWeb,
  'the server into dist/server': buildServer,
  'the client library into dist/client': buildClient,
}

/** `environment`: the process's own, which Vite reads. */
export async function build(print: (text: string) => void, environment: Record<string, string | undefined>): Promise<void> {
  if (!canBuild(projectRoot))
    throw new CommandError(
      'Only a checkout with the development packages can build (npm install); a package and npm ci --omit=dev run the build that they have',
    )
  // Otherwise a build by a server in development would contain React's development version.
  environment.NODE_ENV = 'production'
  // Started by a server: its requests go first, and the build ends with it.
  const onOrphaned = () => process.exit(1)
  process.once('disconnect', onOrphaned)
  if (process.connected) setPriority(10)
  try {
    for (const [what, make] of Object.entries(parts)) {
      const started = performance.now()
      const outcome = await make(projectRoot)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      print(outcome === 'current' ? `Current: ${what}` : `Built ${what} in ${seconds} s`)
      // A server's pages wait for the first.
      process.send?.(what)
    }
  } finally {
    process.off('disconnect', onOrphaned)
    if (process.connected) process.disconnect()
  }
}
