// Which release this is, and how others compare with it.

import { readFileSync } from 'node:fs'

/** Such as 1.2.3. */
export const { version: release } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Whether a version, such as 1.2.3, is of a later release than this one. */
export const isNewer = (version: string): boolean => version.localeCompare(release, 'en', { numeric: true }) > 0
