// The sources of an earlier release in a folder of their own, with the packages that are installed here.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../crash/server.ts'

/** This checkout has no earlier release that could run. The message says why. */
export class NotHere extends Error {}

function git(...words: string[]): string {
  try {
    return execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (error) {
    throw new NotHere(`git ${words[0]} failed: ${error instanceof Error ? error.message.split('\n').slice(0, 2).join(' ') : error}`)
  }
}

/** The commit before the one that added the newest migration. */
export function previousRevision(): string {
  const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'prisma/migrations/*/migration.sql')
  if (!added) throw new NotHere('no commit of this clone has added a migration')
  const [parent] = git('rev-list', '--parents', '-n', '1', added).split(' ').slice(1)
  if (!parent)
    throw new NotHere(`the history of this clone ends with ${added.slice(0, 9)}, which added the newest migration or all of them`)
  return parent
}

/** Writes the revision's files into the folder, and returns it. */
export function checkOut(revision: string, folder: string): string {
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`)
  const archive = join(folder, 'release.tar')
  git('archive', '--output', archive, commit)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  const absent = packagesOf(folder).filter(name => !existsSync(join(projectRoot, 'node_modules', name)))
  if (absent.length > 0) throw new NotHere(`${commit.slice(0, 9)} needs packages that are not installed any more: ${absent.join(', ')}`)
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  const { status, stderr } = spawnSync(process.execPath, ['prisma/generate.mjs'], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the database client of ${commit.slice(0, 9)} could not be generated: ${stderr}`)
  return folder
}

function packagesOf(folder: string): string[] {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, object>
  return Object.keys({ ...dependencies, ...devDependencies })
}
