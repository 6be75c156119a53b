// The process: its environment, its arguments, its exit status. Everything else is given these as values.

import { enableCompileCache } from 'node:module'

// Compiled sources are kept between starts; most of a start is reading and compiling them.
enableCompileCache()
try {
  // A .env file in the working folder is a convenience; what is set already wins.
  process.loadEnvFile()
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
// Imported only now, so that the cache is there before the sources are.
const { runCommand } = await import('./cli/cli.ts')
process.exitCode = await runCommand(process.argv.slice(2), process.env)
