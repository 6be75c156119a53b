// When a build in dist/ is current, and what a new one leaves of the former.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test as plain } from 'vitest'
import { currentBundle } from '../../src/server/bundle/current.ts'
import { buildPart } from '../../src/server/bundle/part.ts'

const test = plain.extend<{ root: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of what a fixture needs from this pattern.
  root: async ({}, use) => {
    const root = mkdtempSync(join(tmpdir(), 'rolocom-bundle-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    mkdirSync(join(root, 'src'))
    for (const file of ['package.json', 'package-lock.json', 'src/main.ts']) {
      writeFileSync(join(root, file), '{}')
      touch(join(root, file))
    }
    // As URLs of folders end.
    await use(`${root}/`)
  },
})

// In the past, because what changes while it is built makes the build outdated.
const touch = (path: string) => utimesSync(path, 1_700_000_000, 1_700_000_000)

const building = (root: string, files: Record<string, string>) =>
  buildPart(root, 'server', async draft => {
    mkdirSync(draft)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(draft, name), text)
    return [join(root, 'src/main.ts'), join(root, 'node_modules/express/index.js'), '\0virtual']
  })

test('a build is current until a source or the lockfile changes', async ({ root, expect }) => {
  const before = currentBundle(root)
  const outcomes = [await building(root, { 'main.js': '1' }), await building(root, { 'main.js': '2' })]
  const after = currentBundle(root)
  writeFileSync(join(root, 'package-lock.json'), '{"a":1}')
  touch(join(root, 'package-lock.json'))
  const changed = currentBundle(root)
  outcomes.push(await building(root, { 'main.js': '3' }))
  writeFileSync(join(root, 'src/main.ts'), 'changed')

  expect([before, outcomes, after, changed, currentBundle(root)]).toEqual([
    undefined,
    ['built', 'current', 'built'],
    join(root, 'dist/server/main.js'),
    undefined,
    undefined,
  ])
})

test('a source that changes or goes while it is built makes the build outdated', async ({ root, expect }) => {
  await buildPart(root, 'server', async draft => {
    mkdirSync(draft)
    writeFileSync(join(draft, 'main.js'), '')
    writeFileSync(join(root, 'src/main.ts'), 'changed')
    return [join(root, 'src/main.ts')]
  })
  const written = currentBundle(root)
  touch(join(root, 'src/main.ts'))
  await building(root, { 'main.js': '1' })
  rmSync(join(root, 'src/main.ts'))

  expect([written, currentBundle(root)]).toEqual([undefined, undefined])
})

test('files of the former build stay until the next one, for servers that run', async ({ root, expect }) => {
  const built: string[][] = []
  for (const hash of ['a', 'b', 'c']) {
    writeFileSync(join(root, 'src/main.ts'), hash)
    touch(join(root, 'src/main.ts'))
    await building(root, { 'main.js': hash, [`chunk-${hash}.js`]: hash })
    built.push(readdirSync(join(root, 'dist/server')).filter(name => name.startsWith('chunk')))
  }

  expect(built).toEqual([['chunk-a.js'], ['chunk-a.js', 'chunk-b.js'], ['chunk-b.js', 'chunk-c.js']])
  expect(readdirSync(join(root, 'dist'))).toEqual(['server'])
})

test('of builds at once one builds and the others take its result; a draft of a killed one is removed', async ({ root, expect }) => {
  mkdirSync(join(root, 'dist/.server.1'), { recursive: true })

  const outcomes = await Promise.all([1, 2, 3].map(() => building(root, { 'main.js': '' })))

  expect(outcomes.toSorted()).toEqual(['built', 'current', 'current'])
  expect(existsSync(join(root, 'dist/.server.1'))).toBe(false)
})
