// Commands in a folder as their root: mounts that only they see, and the chroot in them. For root on Linux.

import { type ChildProcess, execFile, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface Rooted {
  root: string
  workdir: string
  user: string
  environment: Record<string, string>
  /** Folders outside of the root that are writable in it, by their place there. */
  mounted: Record<string, string>
  /** Whether everything but what is mounted, and a /tmp of its own, is read-only. */
  isReadOnly: boolean
}

export const canMount = () => process.platform === 'linux' && spawnSync('unshare', ['--mount', 'chroot', '/', 'true']).status === 0

// The root is a mount of itself first, because only a mount can be made read-only.
const mounts = `set -e
root=$1 base=$2 read_only=$3 workdir=$4 user=$5
shift 5
mount --bind "$root" "$root"
for name in dev proc; do mount --rbind "/$name" "$root/$name"; done
for name in bin sbin lib lib32 lib64 usr etc; do
  if [ -d "/$name" ] && [ ! -h "/$name" ]; then
    mount --bind "/$name" "$root/$name"
    mount -o remount,bind,ro "$root/$name"
  fi
done
for name in usr/local etc/passwd etc/group; do
  mount --bind "$base/$name" "$root/$name"
  mount -o remount,bind,ro "$root/$name"
done
if [ "$read_only" = true ]; then
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  mount -o remount,bind,ro "$root"
fi
while [ "$1" != -- ]; do
  mkdir -p "$root/$2"
  mount --bind "$1" "$root/$2"
  shift 2
done
shift
exec chroot --userspec="$user" "$root" env --chdir="$workdir" "$@"
`

/** The system's programs in place of a base image's, with this Node, this npm, and the user of Docker's Node images. */
export function makeBase(folder: string, npm: string): void {
  const local = join(folder, 'usr/local')
  mkdirSync(join(local, 'bin'), { recursive: true })
  cpSync(process.execPath, join(local, 'bin/node'), { dereference: true })
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true })
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name))
  mkdirSync(join(folder, 'etc'))
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n')
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
}

/** An empty root: the places of the mounts. */
export function makeRoot(root: string): void {
  for (const name of ['dev', 'proc', 'usr', 'etc', 'tmp', 'root']) mkdirSync(join(root, name), { recursive: true })
  chmodSync(join(root, 'tmp'), 0o1777)
  for (const name of ['bin', 'sbin', 'lib', 'lib32', 'lib64']) {
    if (lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(root, name))
    else mkdirSync(join(root, name))
  }
}

// Every step ends in an exec: the process that is spawned is in the end the command itself, and signals reach it.
function invocation({ root, workdir, user, mounted, isReadOnly }: Rooted, command: string[]): [string, string[]] {
  const places = Object.entries(mounted).flatMap(([place, folder]) => [folder, place])
  const known = [root, join(dirname(root), 'base'), String(isReadOnly), workdir, user]
  return ['unshare', ['--mount', '--', '/bin/sh', '-c', mounts, 'sh', ...known, ...places, '--', ...command]]
}

/** Resolves with the output; rejects with it when the command fails. */
export async function runIn(rooted: Rooted, command: string[]): Promise<string> {
  const [program, args] = invocation(rooted, command)
  const running = promisify(execFile)(program, args, { env: rooted.environment, maxBuffer: 50_000_000 })
  running.child.stdin?.end()
  return (await running).stdout
}

export function spawnIn(rooted: Rooted, command: string[], options: SpawnOptions): ChildProcess {
  const [program, args] = invocation(rooted, command)
  return spawn(program, args, { ...options, env: rooted.environment })
}
