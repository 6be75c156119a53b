// Two hosts in DATABASE_URL, one of them a standby that becomes the primary; and a standby named alone.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'Two hosts in DATABASE_URL, and the standby is promoted: well again without a restart; a standby alone is refused in a sentence',
  isShort: true,
  async run(lab) {
    const primary = await lab.cluster()
    const standby = await lab.standby(primary)
    const both = `postgresql://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/rolocom?target_session_attrs=read-write`
    const refusal = await lab.server({ DATABASE_URL: standby.url() }).then(
      () => 'it started',
      error => String(error),
    )
    const isSentence = refusal.includes('is a standby') && !/\n\s+at /.test(refusal)
    if (!isSentence) lab.found(refusal)

    // The standby also answers reads, until it is the primary.
    const server = await lab.server({ DATABASE_URL: both, DATABASE_READ_URLS: standby.url() })
    await primary.query("alter system set synchronous_standby_names = '*'")
    await primary.query('select pg_reload_conf()')
    const traffic = lab.traffic([server])
    await sleep(3_000)
    const begunAt = performance.now()
    await primary.stop('immediate')
    await standby.query('select pg_promote()')
    await traffic.recovered()
    const figures = { recoveryMs: traffic.recoveryMs(begunAt), ...(await traffic.verdict()) }
    return { ...figures, unclearRefusal: isSentence ? 0 : 1, exitStatus: await server.stop() }
  },
  limits: { unclearRefusal: 0, exitStatus: 0 },
}
