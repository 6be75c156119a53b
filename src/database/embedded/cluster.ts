// The folder of the embedded database: created atomically, so that processes that start at once use the same one.

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncPath } from '../../config/durable-file.ts'
import { cannotRun, EmbeddedError, type Programs, run, type User, userFor } from './program.ts'

/** The database role that owns everything. */
export const role = 'rolocom'

export interface Cluster {
  /** PostgreSQL's own data directory. */
  data: string
  password: string
  /** The output of the server. */
  logFile: string
  /** Stores the port, so that the address stays the same between starts. */
  portFile: string
  user: User | null
}

// Creates one level at a time: on a file system that refuses with "no such file", such as /proc, Node's recursive mkdir never ends.
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

/** Opens the cluster in the subfolder `postgres`, creating it if needed. Throws EmbeddedError when it cannot be used. */
export async function openCluster(dataDir: string, programs: Programs): Promise<Cluster> {
  try {
    makeFolder(dataDir)
    // The real path, because processes recognize the server by its data directory.
    const home = join(realpathSync(dataDir), 'postgres')
    const data = join(home, 'data')
    removeDrafts(home)
    if (!existsSync(data)) await createCluster(home, programs)
    const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
    if (version !== programs.major)
      throw new EmbeddedError(
        `${data} was written by PostgreSQL ${version}, and this release brings ${programs.major}. ` +
          `Dump it with the release that wrote it and restore the dump here, or set DATA_DIR to another folder.`,
      )
    return {
      data,
      password: readFileSync(join(home, 'password'), 'utf8').trim(),
      logFile: join(home, 'postgres.log'),
      portFile: join(home, 'port'),
      user: userFor(data, programs),
    }
  } catch (error) {
    throw error instanceof EmbeddedError ? error : new EmbeddedError(`${dataDir} cannot be used: ${sentence(error)}.`, { cause: error })
  }
}

// The cluster is created in a draft folder and renamed; the process whose rename succeeds was first.
async function createCluster(home: string, programs: Programs): Promise<void> {
  const draft = `${home}.${process.pid}.new`
  const data = join(draft, 'data')
  const user = userFor(data, programs)
  // A former process with our process id may have left a draft: in a container every process may start with the same id.
  rmSync(draft, { recursive: true, force: true })
  try {
    // 0711: the server's user can reach its own folder and read nothing else.
    mkdirSync(draft)
    chmodSync(draft, 0o711)
    mkdirSync(data, { mode: 0o700 })
    const password = randomBytes(24).toString('base64url')
    const passwordFile = join(draft, 'initial-password')
    writeFileSync(passwordFile, password, { mode: 0o600 })
    if (user) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid)
    await initialize(programs, data, passwordFile, user)
    rmSync(passwordFile)
    writeFileSync(join(draft, 'password'), password, { mode: 0o600, flush: true })
    syncPath(draft)
    renameSync(draft, home)
    syncPath(dirname(home))
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

function initialize(programs: Programs, data: string, passwordFile: string, user: User | null): Promise<void> {
  const args = [`--pgdata=${data}`, `--username=${role}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8']
  // PostgreSQL's built-in Unicode collation: the system's may change with an update, which would corrupt indexes.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const child = run(programs.initdb, [...args, ...locale, '--no-instructions'], user, ['ignore', 'ignore', 'pipe'])
  let complaint = ''
  child.stderr?.on('data', chunk => (complaint += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', error => reject(cannotRun(programs.initdb, error)))
    child.on('close', status => {
      if (status === 0) return resolve()
      reject(
        new EmbeddedError(`The embedded database could not be made in ${dirname(dirname(data))}: ${reasonIn(complaint)}.`, {
          cause: complaint,
        }),
      )
    })
  })
}

/** The first error in the output of a PostgreSQL program; later ones are its consequences. */
export function reasonIn(output: string): string {
  if (/No space left on device|Check free disk space/.test(output)) return 'the disk is full'
  const lines = output.split('\n').filter(line => line.trim())
  const line = lines.find(line => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'it did not say why'
  return line
    .replace(/^.*?(FATAL|PANIC|error): */, '')
    .trim()
    .replace(/\.$/, '')
}

// Removes drafts of processes that died while creating a cluster.
function removeDrafts(home: string): void {
  for (const name of readdirSync(dirname(home))) {
    const pid = name.startsWith(`${basename(home)}.`) && Number(/\.(\d+)\.new$/.exec(name)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(dirname(home), name), { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function sentence(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return 'the disk is full'
  if (code === 'EACCES') return 'it belongs to another user'
  if (code === 'EPERM') return 'this process may not give it to the user that PostgreSQL runs as'
  if (code === 'EROFS') return 'the disk is read-only'
  return message
}
