// The file in which sign-ins are kept: where each operating system keeps the settings of a user's programs.

import { posix, win32 } from 'node:path'
import type { Environment } from '../../terminal.ts'

export interface System {
  platform: NodeJS.Platform
  environment: Environment
  home: string
}

/** `~/.config/rolocom/credentials.json` or below XDG_CONFIG_HOME; on macOS below `~/Library/Application Support`; on Windows below %APPDATA%. */
export function credentialsPath({ platform, environment, home }: System): string {
  if (platform === 'win32')
    return win32.join(absolute(win32, environment.APPDATA) ?? win32.join(home, 'AppData', 'Roaming'), 'rolocom', 'credentials.json')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'rolocom', 'credentials.json')
  return posix.join(absolute(posix, environment.XDG_CONFIG_HOME) ?? posix.join(home, '.config'), 'rolocom', 'credentials.json')
}

// The XDG specification: a relative path is to be ignored.
const absolute = (rules: typeof posix, folder: string | undefined) => (folder && rules.isAbsolute(folder) ? folder : undefined)
