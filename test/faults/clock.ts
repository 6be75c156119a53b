// A wall clock that is set wrong while a process runs: libfaketime in front of the C library, with an offset that is read from a file. Timers
// go on as they were, as they do when a real clock is set.

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface WrongClock {
  /** For the process that is to have it. */
  environment: Record<string, string>
  /** Sets it to so many seconds after the right time. */
  set(seconds: number): void
}

const folders = ['/usr/lib', '/usr/local/lib', '/opt/homebrew/lib']
const name = 'libfaketimeMT.so.1'

/** Its state is a file in the folder. */
export function createClock(folder: string): WrongClock {
  const file = join(folder, 'offset')
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`)
  set(0)
  return {
    environment: {
      LD_PRELOAD: library() ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  }
}

/** Why there is no such clock; undefined where there is one. */
export const withoutClocks = async () => (library() ? undefined : 'faketime is not installed')

function library(): string | undefined {
  const near = folders.filter(existsSync).flatMap(folder => [folder, ...readdirSync(folder).map(inside => join(folder, inside))])
  return near.map(folder => join(folder, 'faketime', name)).find(existsSync)
}
