// Chromium, where it is installed.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// Debian's packages. The shell draws pages alone, not the window and tabs of a browser around them, which takes half of the time of a page.
const shell = '/usr/bin/chromium-headless-shell'
const executablePath = process.env.CHROMIUM ?? (existsSync(shell) ? shell : '/usr/bin/chromium')

/** Why no browser can be launched; undefined where there is one. */
export const noBrowser = existsSync(executablePath)
  ? undefined
  : `no browser at ${executablePath}; apt-get install chromium-headless-shell, or set CHROMIUM`

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
