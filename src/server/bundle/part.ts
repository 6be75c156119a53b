// One part of dist/: built in a draft folder, then put in the place of the former build.

import { globSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hashOf, isCurrentBuild, manifestOf, type Part, readManifest, sourcesOf } from './current.ts'
import { exclusively } from './exclusively.ts'

/** Builds a part unless it is current. `make` writes into the folder that it is given, and resolves with the paths of all modules. */
export function buildPart(root: string, part: Part, make: (draft: string) => Promise<string[]>): Promise<'built' | 'current'> {
  const dist = join(root, 'dist')
  return exclusively(join(dist, `.building.${part}`), async () => {
    if (isCurrentBuild(root, part)) return 'current'
    // Removes drafts of builds that were killed.
    for (const name of globSync(`.${part}.*`, { cwd: dist })) rmSync(join(dist, name), { recursive: true, force: true })
    const draft = join(dist, `.${part}.${process.pid}`)
    const startedAt = timeOfFiles(join(dist, `.${part}.started`))
    const sources = sourcesOf(root, await make(draft))
    // A file changed during the build may be in it or not, so the build is outdated.
    const isChanged = sources.some(path => statSync(join(root, path)).mtimeMs >= startedAt)
    replace(root, part, draft, { sources, hash: isChanged ? '' : hashOf(root, sources) })
    return 'built'
  })
}

// Not Date.now(): file systems stamp with a clock of their own, which is some milliseconds behind.
function timeOfFiles(path: string): number {
  writeFileSync(path, '')
  const { mtimeMs } = statSync(path)
  rmSync(path)
  return mtimeMs
}

// A server that runs loads what it needs later from its own bundle, so files of the former build are kept until the next one.
function replace(root: string, part: Part, draft: string, from: { sources: string[]; hash: string | null }): void {
  const folder = join(root, 'dist', part)
  const former = readManifest(root, part)?.files ?? []
  const files = filesIn(draft)
  rmSync(manifestOf(root, part), { force: true })
  for (const name of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    renameSync(join(draft, name), join(folder, name))
  }
  const kept = new Set([...files, ...former])
  for (const name of filesIn(folder)) if (!kept.has(name)) rmSync(join(folder, name))
  writeFileSync(manifestOf(root, part), `${JSON.stringify({ ...from, files })}\n`)
  rmSync(draft, { recursive: true, force: true })
}

const filesIn = (folder: string): string[] =>
  globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
