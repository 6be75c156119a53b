// Generated files are committed and current.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test('schema, types of the stored documents, OpenAPI and .env.example are up to date', async () => {
  const checked = await promisify(execFile)(process.execPath, ['codegen.ts', '--check'], { cwd: root }).catch(
    (failed: { stderr: string }) => failed,
  )

  expect(checked.stderr).toBe('')
})
