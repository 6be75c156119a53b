// A disk to be cut off from its power, or filled: a file system of its own on a loop device, whose backing file stands for what the disk
// has really stored.
//
// A power cut is the kernel's own: ext4 is told to shut down without writing anything more (EXT4_IOC_SHUTDOWN, as fstests do it), so
// that all that was written and not synced is gone, and the next mount replays the file system's journal, as after a real one.

import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Disk {
  /** Where it is mounted. Any user may enter it. */
  path: string
  /** Ends all writing at once, and forgets what was not synced. Every access fails from now on. */
  cut(): void
  /** Mounts it again, once nothing holds a file of it any more. */
  mount(): Promise<void>
  /** Takes all the space that is left. */
  fill(): void
  /** Gives that space back. */
  free(): void
  /** Unmounts it and removes its backing file. */
  remove(): Promise<void>
}

// Perl is on every Debian and has ioctl without a module. EXT4_IOC_SHUTDOWN is _IOR('X', 125, __u32), 2 is EXT4_GOING_FLAGS_NOLOGFLUSH.
const shutdown = 'my $how = pack("L", 2); open(my $f, "<", $ARGV[0]) or die $!; ioctl($f, 0x8004587D, $how) or die $!'

/** Makes one of so many megabytes. Throws where this machine allows no loop devices. */
export function makeDisk(megabytes: number): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-disk-'))
  chmodSync(folder, 0o711)
  const [image, path] = [join(folder, 'image'), join(folder, 'mounted')]
  const ballast = join(path, 'ballast')
  const mounting = () => must('mount', '-o', 'loop,noatime', image, path)
  try {
    mkdirSync(path)
    must('truncate', '-s', `${megabytes}M`, image)
    // No blocks kept for root, so that all meet the end of the space at once.
    must('mkfs.ext4', '-q', '-m', '0', image)
    mounting()
    chmodSync(path, 0o711)
    must('sync', '-f', path)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const unmount = async () => {
    // Processes that were killed hold their files a moment longer.
    for (let attempt = 0; attempt < 200; attempt++, await sleep(50)) if (run('umount', path).status === 0 || !isMounted(path)) return
    throw new Error(`${path} is still in use`)
  }
  return {
    path,
    cut: () => must('perl', '-e', shutdown, path),
    async mount() {
      await unmount()
      mounting()
    },
    fill() {
      // A file that is allocated and not written: the last blocks, too small for it, are filled by writing.
      const left = run('df', '--output=avail', '-B1', path).stdout.split('\n')[1]?.trim() ?? '0'
      run('fallocate', '-l', left, ballast)
      run('dd', 'if=/dev/zero', `of=${ballast}`, 'bs=4k', 'oflag=append', 'conv=notrunc')
    },
    free: () => rmSync(ballast, { force: true }),
    async remove() {
      await unmount()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Why this machine has no such disks; undefined where it has. */
export async function withoutDisks(): Promise<string | undefined> {
  try {
    const disk = makeDisk(16)
    try {
      disk.cut()
    } finally {
      await disk.remove()
    }
    return undefined
  } catch (error) {
    return `no loop device can be mounted (${error instanceof Error ? error.message.trim() : error})`
  }
}

const isMounted = (path: string) => run('mountpoint', '-q', path).status === 0

function run(program: string, ...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(program, args, { encoding: 'utf8', env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C' } })
}

function must(program: string, ...args: string[]): void {
  const { status, stderr, error } = run(program, ...args)
  if (status !== 0) throw new Error(error?.message ?? stderr)
}
