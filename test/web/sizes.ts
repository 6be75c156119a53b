// What a browser loads for a screen, compressed with brotli, against the limits. Part of `npm run check:static`.
//
// Counted from the build's manifest: a screen loads its own chunks, the entry's, and all that these import statically.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

interface Chunk {
  file: string
  src?: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
  css?: string[]
}

const root = join(import.meta.dirname, '../..')
execFileSync(process.execPath, ['src/main.ts', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
const folder = join(root, 'dist/web')
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

const entry = 'index.html'
const frame = 'frame/frame.tsx'
const screens: Readonly<Record<string, readonly string[]>> = {
  'sign in': [entry, 'sign-in/screen.tsx'],
  contacts: [entry, frame, 'contacts/screen.tsx'],
}
// Brotli, in bytes.
const limits = { 'sign in': 110_000, contacts: 200_000, styles: 35_000, lazy: 120_000 } as const

function chunkOf(name: string): Chunk {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The build has no chunk of src/web/${name}; test/web/sizes.ts names the screens`)
  return chunk
}

/** The names of chunks and of all that they import statically. */
function closure(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    closure(chunkOf(name).imports ?? [], found)
  }
  return found
}

function sizeOf(file: string): number {
  const compressed = join(folder, `${file}.br`)
  return statSync(existsSync(compressed) ? compressed : join(folder, file)).size
}
const sizeOfAll = (files: Iterable<string>) => [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0)
const scripts = (names: Iterable<string>) => [...names].map(name => chunkOf(name).file)
const styles = (names: Iterable<string>) => [...names].flatMap(name => chunkOf(name).css ?? [])

interface Row {
  what: string
  bytes: number
  limit: number
}

const rows: Row[] = (['sign in', 'contacts'] as const).map(name => ({
  what: `scripts of ${name}`,
  bytes: sizeOfAll(scripts(closure(screens[name] ?? []))),
  limit: limits[name],
}))
rows.push({ what: 'styles of contacts', bytes: sizeOfAll(styles(closure(screens.contacts ?? []))), limit: limits.styles })

// What the entry has loaded already does not count.
const atStart = closure([entry])
const lazy = Object.entries(manifest)
  .filter(([, { isDynamicEntry }]) => isDynamicEntry)
  .map(([name]) => ({
    what: `lazy part ${name}`,
    bytes: sizeOfAll(scripts([...closure([name])].filter(part => !atStart.has(part)))),
    limit: limits.lazy,
  }))
  .toSorted((a, b) => b.bytes - a.bytes)
// The largest three, and every one that is too large.
rows.push(...lazy.filter(({ bytes, limit }, index) => index < 3 || bytes > limit))

for (const { what, bytes, limit } of rows) {
  const kilobytes = (value: number) => (value / 1000).toFixed(1)
  console.log(`${bytes > limit ? 'TOO LARGE' : 'fits'}  ${what}: ${kilobytes(bytes)} kB of ${kilobytes(limit)}`)
}
process.exit(rows.some(({ bytes, limit }) => bytes > limit) ? 1 : 0)
