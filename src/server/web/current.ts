// Whether the build of the web app in dist/web was made from the present sources.

import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const folderOf = (root: string): string => join(root, 'dist/web')

export const isBuilt = (root: string): boolean => existsSync(join(folderOf(root), 'build.json'))

/** True without sources too: a package has the build alone. */
export function isCurrent(root: string): boolean {
  if (!isBuilt(root)) return false
  if (!hasSources(root)) return true
  const { sources } = JSON.parse(readFileSync(join(folderOf(root), 'build.json'), 'utf8')) as { sources?: string }
  return sources === sourceHash(root)
}

const hasSources = (root: string) => existsSync(join(root, 'src/web/vite.config.ts'))

/** Whether the packages that a build needs are installed. They are development packages. */
export function canBuild(root: string): boolean {
  if (!hasSources(root)) return false
  try {
    import.meta.resolve('vite')
    return true
  } catch {
    return false
  }
}

/**
 * The hash of all that a build is made from. Contents, not times of change: a checkout gives every file a new time. The lockfile counts,
 * because packages become part of the build.
 */
export function sourceHash(root: string): string {
  const sum = createHash('sha256')
  const sources = globSync('src/web/**/*', { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const file of [...sources.toSorted(), join(root, 'package-lock.json')]) {
    // A package has no lockfile.
    if (!existsSync(file)) continue
    const bytes = readFileSync(file)
    sum.update(`${file.slice(root.length)}\0${bytes.length}\0`).update(bytes)
  }
  return sum.digest('hex')
}
