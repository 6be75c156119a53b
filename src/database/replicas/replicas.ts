// Replicas that reads are spread over. A read is sent to one that has replayed all that was acknowledged before the read, by any process;
// if none has within 100 ms, to the primary.
//
// The position belongs to the primary's log and not to the caller's last write: a client that learned of a write otherwise, by a webhook, a
// subscription or another process, finds it as well.

import type { Logger } from 'pino'
import { startPolling } from '../../kernel/queue/poll-loop.ts'
import type { Database } from '../client.ts'
import type { Queries } from '../queries.ts'
import { createPrimaryLog } from './primary.ts'
import { createReplica, type Replica } from './replica.ts'

export interface Replicas {
  /** Where a read is to be executed: a replica, or the primary. Rejects when the primary does not answer. */
  choose(): Promise<Queries>
  /** The numbers of replicas that are used and left out. */
  counts(): { used: number; leftOut: number }
  close(): Promise<void>
}

export interface ReplicasOptions {
  primary: Queries
  log: Pick<Logger, 'info' | 'warn'>
  /** Called for each choice. */
  onRead(server: 'replica' | 'primary'): void
}

const checkMs = 250

/** `databases`: a pool for each replica, which connects at the first statement. An unreachable replica is no error: it is left out. */
export function createReplicas(databases: readonly Database[], { primary, log, onRead }: ReplicasOptions): Replicas {
  const primaryLog = createPrimaryLog(primary)
  const replicas = databases.map(database => createReplica(database, primary, primaryLog, log))
  let timeline: string | undefined
  let next = 0

  const replicaWith = async (): Promise<Replica | undefined> => {
    if (!replicas.some(replica => replica.isUsed())) return undefined
    const stored = await primaryLog.position()
    if (timeline !== undefined && timeline !== stored.timeline) for (const replica of replicas) replica.distrust()
    timeline = stored.timeline
    next = (next + 1) % replicas.length
    for (const replica of [...replicas.slice(next), ...replicas.slice(0, next)])
      if (replica.isUsed() && (await replica.reaches(stored.position))) return replica
    return undefined
  }
  const checking = startPolling({
    intervalMs: checkMs,
    async poll() {
      await Promise.all(replicas.map(replica => replica.check()))
    },
    onError() {},
  })
  checking.notify()

  return {
    async choose() {
      const replica = await replicaWith()
      onRead(replica ? 'replica' : 'primary')
      return replica?.reads ?? primary
    },
    counts() {
      const used = replicas.filter(replica => replica.isUsed()).length
      return { used, leftOut: replicas.length - used }
    },
    async close() {
      await checking.stop()
      await Promise.all(replicas.map(replica => replica.close()))
    },
  }
}
