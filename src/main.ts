// The process: its environment, its arguments, its exit status. Everything else is given these as values.

import module from 'node:module'
import { fileURLToPath } from 'node:url'

// An older Node runs as far as this only with the bundle, whose other files it cannot read.
if (Number.parseInt(process.versions.node, 10) < 22) {
  process.stderr.write(`Rolocom needs Node 22 or newer; this is Node ${process.versions.node}\n`)
  process.exit(1)
}
// Compiled sources are kept between starts; most of a start is reading and compiling them. The first releases of Node 22 cannot. `npm start`
// names the cache in NODE_COMPILE_CACHE, before Node starts: then this file comes out of it too, and Node does not load its compiler of TypeScript.
module.enableCompileCache?.()
try {
  // Variables that are already set take precedence over the .env file.
  process.loadEnvFile()
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
// 2 s: the output is written by then.
const endingMs = 2_000
// Imported only now, so that the cache is there before the sources are.
const bundle = await bundleFolder()
if (bundle) await import(bundle)
else {
  const cli = await import('./cli/cli.ts').catch(notInstalled)
  process.exitCode = cli ? await cli.runCommand(process.argv.slice(2), process.env) : 1
  // Parts that a failed start has left running must not keep the process alive: a supervisor would believe that it serves.
  if (process.exitCode !== 0) setTimeout(() => process.exit(), endingMs).unref()
}

// In a checkout, the bundle of `npm run build` while its sources are what they were. BUNDLE=0 runs the sources.
async function bundleFolder(): Promise<string | undefined> {
  if (!import.meta.filename.endsWith('.ts') || process.env.BUNDLE === '0') return
  const { currentBundle } = await import('./server/bundle/current.ts')
  return currentBundle(fileURLToPath(new URL('..', import.meta.url)))
}

// A package or the generated client is missing: npm has not run here, or was stopped.
function notInstalled(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write(`Rolocom is not installed completely (${error.message.split(' imported from ')[0]}). Run: npm install\n`)
}
