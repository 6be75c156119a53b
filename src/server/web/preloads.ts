// Names the later scripts of a page in the page: the browser requests all of them immediately, and not each one when the script before it
// has run.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An entry of Vite's manifest. */
interface Chunk {
  file: string
  css?: readonly string[]
  imports?: readonly string[]
  dynamicImports?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const entry = 'index.html'
const app = ['app/router.tsx', 'frame/frame.tsx']
const screenOfPlace = /^([\w-]+)\/screen\.tsx$/
// The place of the address without a first segment.
const rootPlace = 'welcome'
const nothing: Preloads = { modules: '', styles: '' }

/** Link elements. */
export interface Preloads {
  modules: string
  styles: string
}

/**
 * Answers the link elements for the path of a page; none for a path whose first segment is not a place with a screen. Throws where the
 * manifest does not have what it names.
 */
export function openPreloads(folder: string): (path: string) => Preloads {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  const inPage = withImports(manifest, [entry])
  const linksTo = (names: readonly string[]) =>
    links(
      manifest,
      [...withImports(manifest, names)].filter(name => !inPage.has(name)),
    )
  const byPath = new Map<string, Preloads>()
  const byPlace = new Map<string, Preloads>()
  for (const name of Object.keys(manifest)) {
    const [, place] = screenOfPlace.exec(name) ?? []
    if (place === undefined) continue
    const isBeforeApp = chunkOf(manifest, entry).dynamicImports?.includes(name)
    byPath.set(place, linksTo(isBeforeApp ? [name] : [...app, name]))
    // Below it are other screens, in the same frame.
    byPlace.set(place, isBeforeApp ? nothing : linksTo(app))
  }
  return path => {
    const [, place = '', ...below] = path.replace(/(?<!\/)\/+$/, '').split('/')
    return (below.length > 0 ? byPlace : byPath).get(place === '' ? rootPlace : place) ?? nothing
  }
}

/** The chunks of these names, and of all that they import statically. */
function withImports(manifest: Manifest, names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    withImports(manifest, chunkOf(manifest, name).imports ?? [], found)
  }
  return found
}

function chunkOf(manifest: Manifest, name: string): Chunk {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`The manifest of the web app has no chunk of ${name}`)
  return chunk
}

function links(manifest: Manifest, names: readonly string[]): Preloads {
  const chunks = names.map(name => chunkOf(manifest, name))
  // Once each, however many chunks need them.
  const styles = new Set(chunks.flatMap(({ css = [] }) => css))
  return {
    modules: chunks.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`).join('\n'),
    styles: [...styles].map(file => `<link rel="stylesheet" crossorigin href="/${file}">`).join('\n'),
  }
}
