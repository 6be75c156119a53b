// Chromium, where it is installed.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// Debian's package.
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Null where there is no browser; says so. */
export async function launchBrowser(): Promise<Browser | null> {
  if (!existsSync(executablePath)) {
    console.log(`skipped: no browser at ${executablePath}; apt-get install chromium, or set CHROMIUM`)
    return null
  }
  return await chromium.launch({
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
