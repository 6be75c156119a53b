// The signatures of the installed packages, and where they were built, as npm's registry states them.
//
//   npm run signatures
//
// Where the registry or the keys of its signatures cannot be reached, or it signs nothing, this is skipped.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { check, count, ensure, skip } from './checks.ts'

interface Audit {
  invalid?: { name: string; version: string }[]
  missing?: { name: string; version: string }[]
  error?: { summary?: string }
}

const name = 'every installed package has a valid signature'
const { stdout, stderr } = spawnSync('npm', ['audit', 'signatures', '--json', '--fetch-retries=0'], {
  cwd: join(import.meta.dirname, '../..'),
  encoding: 'utf8',
  maxBuffer: 50_000_000,
})
const { invalid, missing, error } = audited()
if (invalid && missing)
  await check(name, async () => {
    const named = (packages: typeof invalid) => packages.map(found => `${found.name}@${found.version}`).join(', ')
    ensure(invalid.length === 0, `invalid: ${named(invalid)}`)
    ensure(missing.length === 0, `missing: ${named(missing)}`)
  })
else skip(name, error?.summary ?? `${stdout}${stderr}`.slice(-500))
process.exit(count())

/** Nothing when npm printed something else. */
function audited(): Audit {
  try {
    return JSON.parse(stdout) as Audit
  } catch {
    return {}
  }
}
