// The program that the guardian runs: `node stop-unused.ts <data folder>` stops the embedded database there when no process uses it.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stopUnused } from './embedded.ts'

const [dataDir] = process.argv.slice(2)
// If the folder was deleted meanwhile, `stopUnused` would create it again.
if (dataDir !== undefined && existsSync(join(dataDir, 'postgres', 'data'))) await stopUnused(dataDir).catch(() => {})
