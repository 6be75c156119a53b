// The program that the guardian runs: `node stop-unused.ts <data folder>` stops the embedded database there when no process uses it.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stopUnused } from './embedded.ts'

const [dataDir] = process.argv.slice(2)
// Without this check, a database that was deleted meanwhile would be created again.
if (dataDir !== undefined && existsSync(join(dataDir, 'postgres', 'data'))) await stopUnused(dataDir).catch(() => {})
