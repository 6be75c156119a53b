// At install: generates the Prisma client, without the engine download that the CLI would start with, and has the program's sources
// compiled, so that the first start need not wait for it.
// .mjs, so that a Node too old to run TypeScript can still install.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const config = fileURLToPath(new URL('prisma.config.ts', import.meta.url))
const cli = prismaCli()
// Without the development packages there is nothing to generate with, and in a package nothing to generate: its bundle has the client.
if (!cli || !existsSync(config)) process.exit(0)
const { status } = spawnSync(process.execPath, [cli, 'generate', '--config', config], {
  stdio: ['ignore', 'ignore', 'inherit'],
  // Generating needs no schema engine; naming any existing file keeps Prisma from fetching one.
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
})
if (status !== 0) process.exit(status ?? 1)

// The cache belongs to this very Node; where it is not the one that will run, or has no cache, nothing is lost.
const compile = `import { enableCompileCache, flushCompileCache } from 'node:module'
enableCompileCache()
await Promise.all(
  ['./src/cli/operator/serve.ts', './src/server/start.ts', './prisma/seed/seed.ts', './src/identity/provider/embedded.ts'].map(file => import(file)),
)
flushCompileCache()
process.exit(0)`
spawnSync(process.execPath, ['--input-type=module', '--eval', compile], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'ignore',
})

function prismaCli() {
  try {
    return createRequire(import.meta.url).resolve('prisma/build/index.js')
  } catch {
    return null
  }
}
