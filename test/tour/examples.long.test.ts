// The guides' examples of the client compile in strict mode. The tour runs them, where Node does not look at types.

import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { guides } from '../../src/rest/docs/guides.ts'
import { blocksOf, sourceOf } from './guide.ts'

const root = join(import.meta.dirname, '../..')

test('every example of the client has the types that it shows', async () => {
  // Below the project, so that rolocom/client is found.
  const folder = join(import.meta.dirname, '.work')
  mkdirSync(folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const blocks = guides.flatMap(({ file }) => blocksOf(file, readFileSync(join(root, file), 'utf8')))
  const examples = blocks.filter(({ language, file }) => language === 'ts' && (file === undefined || file === 'example.ts'))
  for (const [index, { name, lines }] of examples.entries()) writeFileSync(join(folder, `${index}.ts`), `// ${name}\n${sourceOf(lines)}`)
  // The first lines of all have more names than each needs.
  const compilerOptions = { noUnusedLocals: false }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../tsconfig.json', compilerOptions, files: [], include: ['*.ts'], exclude: [] }),
  )

  const tsc = promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  expect(
    await tsc.then(
      () => '',
      (failed: { stdout: string }) => failed.stdout,
    ),
  ).toBe('')
  expect(examples.length).toBeGreaterThan(20)
})
