// What the guardian runs: `node stop-unused.ts <data folder>`. Stops the embedded database there when no process uses it.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stopUnused } from '../embedded.ts'

const [dataDir] = process.argv.slice(2)
// A database that was removed meanwhile is not made again.
if (dataDir !== undefined && existsSync(join(dataDir, 'postgres', 'data'))) await stopUnused(dataDir).catch(() => {})
