// The signatures of the installed packages, and where they were built, as npm's registry states them.
//
//   npm run round -- signatures
//
// Where the registry or the keys of its signatures cannot be reached, or it signs nothing, this is skipped.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Audit {
  invalid?: { name: string; version: string }[]
  missing?: { name: string; version: string }[]
  error?: { summary?: string }
}

test('every installed package has a valid signature', ({ skip }) => {
  const { stdout, stderr } = spawnSync('npm', ['audit', 'signatures', '--json', '--fetch-retries=0'], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  })
  const { invalid, missing, error } = audited(stdout)
  if (!invalid || !missing) return skip(error?.summary ?? `${stdout}${stderr}`.slice(-500))
  const named = (packages: typeof invalid) => packages.map(found => `${found.name}@${found.version}`)
  expect({ invalid: named(invalid), missing: named(missing) }).toEqual({ invalid: [], missing: [] })
})

/** Nothing when npm printed something else. */
function audited(stdout: string): Audit {
  try {
    return JSON.parse(stdout) as Audit
  } catch {
    return {}
  }
}
