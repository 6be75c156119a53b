// Which release brought a migration: releases.json beside the migrations has the last one of each release before this one.
//
// To raise the version in package.json, write the newest migration beside the former version there; a test says when that was forgotten.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { release } from '../../config/release.ts'
import { judgePending } from './review/reviews.ts'

/** The former releases in their order, each with its last migration. */
export const formerReleases = (directory: string): [version: string, last: string][] =>
  Object.entries(JSON.parse(readFileSync(join(directory, 'releases.json'), 'utf8')))

/** The release that brought the migration; the present one for all since the last of the former. */
export const releaseOf = (directory: string, migration: string): string =>
  formerReleases(directory).find(([, last]) => migration <= last)?.[0] ?? release

/** The rows of the guide's table: each release, its last migration, and what an upgrade to it from the one before needs. `names`: all migrations. */
export function describeReleases(directory: string, names: readonly string[]): { version: string; last: string; upgrade: string }[] {
  const all: [string, string | undefined][] = [...formerReleases(directory), [release, undefined]]
  return all.map(([version, last]) => {
    const own = names.filter(name => releaseOf(directory, name) === version)
    const before = names.slice(0, names.indexOf(own[0] ?? ''))
    const unsafe = judgePending(directory, own, before).filter(({ isSafe }) => !isSafe)
    const stop = `stop all old processes (${unsafe.length} of ${own.length} migrations need it)`
    return { version, last: last ?? 'the newest', upgrade: unsafe.length > 0 ? stop : before.length > 0 ? 'while they serve' : '' }
  })
}
