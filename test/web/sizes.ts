// What a browser loads for a screen, compressed with brotli, against the limits. Part of `npm run check:static`.
//
// Counted from the build's manifest: a screen loads its own chunks, the entry's, and all that these import statically. A lazy part counts
// with all that it imports besides what is loaded before it: the entry, and for parts of the app its router. Chunks must not import each other: which runs first would be chance.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

interface Chunk {
  file: string
  src?: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

const root = join(import.meta.dirname, '../..')
execFileSync(process.execPath, ['src/main.ts', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
const folder = join(root, 'dist/web')
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

const entry = 'index.html'
const app = 'app/router.tsx'
const frame = 'frame/frame.tsx'
const screens: Readonly<Record<string, readonly string[]>> = {
  'sign in': [entry, 'sign-in/screen.tsx'],
  contacts: [entry, app, frame, 'contacts/screen.tsx'],
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

/** What is loaded on demand before the app is entered, and the app's router. */
function partsBeforeApp(name: string, found = new Set<string>()): Set<string> {
  for (const part of chunkOf(name).dynamicImports ?? []) {
    if (found.has(part)) continue
    found.add(part)
    if (part !== app) partsBeforeApp(part, found)
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
  files: readonly string[]
  bytes: number
  limit: number
}

const row = (what: string, files: readonly string[], limit: number): Row => ({ what, files, bytes: sizeOfAll(files), limit })
const rows = (['sign in', 'contacts'] as const).map(name => row(`scripts of ${name}`, scripts(closure(screens[name] ?? [])), limits[name]))
rows.push(row('styles of contacts', styles(closure(screens.contacts ?? [])), limits.styles))

const atStart = closure([entry])
const inApp = closure([entry, app])
const beforeApp = partsBeforeApp(entry)
const lazy = Object.entries(manifest)
  .filter(([, { isDynamicEntry }]) => isDynamicEntry)
  .map(([name]) => {
    const loaded = beforeApp.has(name) ? atStart : inApp
    return row(`lazy part ${name}`, scripts([...closure([name])].filter(part => !loaded.has(part))), limits.lazy)
  })
  .toSorted((a, b) => b.bytes - a.bytes)
// The largest three, and every one that is too large.
rows.push(...lazy.filter(({ bytes, limit }, index) => index < 3 || bytes > limit))

const kilobytes = (value: number) => (value / 1000).toFixed(1)
for (const { what, bytes, limit } of rows)
  console.log(`${bytes > limit ? 'TOO LARGE' : 'fits'}  ${what}: ${kilobytes(bytes)} kB of ${kilobytes(limit)}`)
const cycle = findCycle()
if (cycle) console.error(`These chunks import each other: ${cycle.join(' -> ')}. Move what they share in src/web/build/parts.ts`)
const tooLarge = rows.filter(({ bytes, limit }) => bytes > limit)
if (tooLarge.length > 0) await nameModules(tooLarge)
process.exit(cycle || tooLarge.length > 0 ? 1 : 0)

/** The chunks of the first cycle, which ends where it began. */
function findCycle(): readonly string[] | null {
  const done = new Set<string>()
  const follow = (name: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return null
    for (const next of chunkOf(name).imports ?? []) {
      const found = follow(next, [...path, name])
      if (found) return found
    }
    done.add(name)
    return null
  }
  for (const name of Object.keys(manifest)) {
    const found = follow(name, [])
    if (found) return found
  }
  return null
}

/** Says what is in the chunks of those that are too large. The manifest does not have it, so the app is built again in memory. */
async function nameModules(found: readonly Row[]): Promise<void> {
  const built = await build({ configFile: join(root, 'src/web/vite.config.ts'), logLevel: 'error', build: { write: false } })
  if (!('output' in built)) return
  const chunks = new Map(built.output.flatMap(one => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])))
  for (const { what, files } of found) {
    const modules = [...files].flatMap(file => Object.entries(chunks.get(file)?.modules ?? {}))
    const largest = modules.toSorted(([, a], [, b]) => b.renderedLength - a.renderedLength).slice(0, 8)
    const named = largest.map(
      ([id, { renderedLength }]) => `${id.replace(/^.*(node_modules|src\/web)\//, '')} (${kilobytes(renderedLength)} kB of source)`,
    )
    console.error(`The largest modules in ${what}: ${named.join(', ')}`)
  }
}
