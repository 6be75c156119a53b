// build: makes what a production server serves and cannot make itself, the web app in dist/web.

import { setPriority } from 'node:os'
import { projectRoot } from '../../server/web/app.ts'
import { buildWeb } from '../../server/web/build.ts'

/** `environment`: the process's own, which Vite reads. */
export async function build(print: (text: string) => void, environment: Record<string, string | undefined>): Promise<void> {
  // Otherwise a build by a server in development would contain React's development version.
  environment.NODE_ENV = 'production'
  // Started by a server: its requests go first, and the build ends with it.
  const onOrphaned = () => process.exit(1)
  process.once('disconnect', onOrphaned)
  if (process.connected) setPriority(10)
  const started = performance.now()
  try {
    const outcome = await buildWeb(projectRoot)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    print(outcome === 'current' ? 'The web app in dist/web is current' : `Built the web app into dist/web in ${seconds} s`)
  } finally {
    process.off('disconnect', onOrphaned)
    if (process.connected) process.disconnect()
  }
}
