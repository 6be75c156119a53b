// The version of this release, and comparison with other versions.

import { readFileSync } from 'node:fs'

/** The version, such as 1.2.3. */
export const { version: release } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

/** Whether a version, such as 1.2.3, is later than this release. */
export const isNewer = (version: string): boolean => version.localeCompare(release, 'en', { numeric: true }) > 0
