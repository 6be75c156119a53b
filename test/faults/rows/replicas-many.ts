// The same guarantee over many reads, with a cluster that writes meanwhile.

import { ownReads } from '../own-reads.ts'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'DATABASE_READ_URLS: 100,000 lists at once after a write, none without it',
  isShort: false,
  async run(lab) {
    const primary = await lab.cluster()
    const standby = await lab.standby(primary)
    const environment = { DATABASE_URL: primary.url(), DATABASE_READ_URLS: standby.url() }
    const first = await lab.server(environment)
    const second = await lab.server(environment, first.key)
    const { stale } = await ownReads([first, second], { reads: 100_000, clients: 16, found: lab.found })
    return { lost: 0, doubled: 0, wrong: 0, hung: 0, stale }
  },
  limits: { stale: 0 },
}
