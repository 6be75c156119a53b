// The same guarantee over many reads.

import { ownReads, replicated } from '../replicas.ts'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'DATABASE_READ_URLS: 100,000 lists at once after a write, none without it',
  isShort: false,
  async run(lab) {
    const { servers } = await replicated(lab)
    return { lost: 0, doubled: 0, wrong: 0, hung: 0, ...(await ownReads(servers, { reads: 100_000, clients: 16, found: lab.found })) }
  },
  limits: { stale: 0, onPrimaryPercent: 10 },
}
