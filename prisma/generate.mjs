// Generates the Prisma client at install, without the engine download that the CLI would start with.
// .mjs, so that a Node too old to run TypeScript can still install.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js')
const { status } = spawnSync(process.execPath, [cli, 'generate', '--config', fileURLToPath(new URL('prisma.config.ts', import.meta.url))], {
  stdio: ['ignore', 'ignore', 'inherit'],
  // Generating needs no schema engine; naming any existing file keeps Prisma from fetching one.
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
})
process.exit(status ?? 1)
