// The servers and clusters of a row. `close` ends everything that was started here, in reverse order.

import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressesOf } from '../../src/database/connections/address.ts'
import { type Disk, makeDisk } from '../crash/disk.ts'
import { type Server, startServer } from '../crash/server.ts'
import { type Cluster, startCluster, startStandby } from './cluster.ts'
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts'
import { type Redis, startRedis } from './redis.ts'
import { type Relay, startRelay } from './relay.ts'
import { startTraffic, type Traffic, type TrafficOptions } from './traffic.ts'

export interface Lab {
  /** An empty folder that any user may enter. */
  folder(): string
  /** A disk of so many megabytes that can be filled, or cut off from its power. */
  disk(megabytes: number): Disk
  /** A PostgreSQL cluster on a free port, with the database `rolocom`. `inside`: by default a new folder. */
  cluster(settings?: Readonly<Record<string, string>>, inside?: string): Promise<Cluster>
  /** A copy that follows the cluster. */
  standby(primary: Cluster): Promise<Cluster>
  /** A TCP port in front of another one, whose connections can be frozen. */
  relay(toPort: number): Promise<Relay>
  /** PgBouncer in front of a cluster; `settings` are lines of its [pgbouncer] section. */
  pgbouncer(cluster: Cluster, settings?: Readonly<Record<string, string>>): Promise<PgBouncer>
  redis(): Promise<Redis>
  /**
   * A server process. `key` is the first one's, for every further one on the same database. `dataDir`: by default a new folder. `root`: by
   * default this working tree.
   */
  server(environment: Record<string, string>, key?: string, dataDir?: string, root?: string): Promise<Server>
  /** Writers and readers that go on until they are stopped, with a journal of what they were told. */
  traffic(servers: readonly Server[], options?: TrafficOptions): Traffic
  /** Ends something else of a row with the lab. */
  kept<Thing>(thing: Thing, end: (thing: Thing) => unknown): Thing
  /** Records an explanation of a figure; it is printed below the row. */
  found(text: string): void
  findings(): string[]
  close(): Promise<void>
}

// By default it refuses for 15 s after it could not log in, whether PostgreSQL is back or not.
const quickRetry = { server_login_retry: '1' }

/** With `isPooled`, servers reach each host of their DATABASE_URL through a PgBouncer of its own. */
export function openLab({ isPooled = false } = {}): Lab {
  const endings: (() => unknown)[] = []
  const findings: string[] = []
  const kept = <Thing>(thing: Thing, end: (thing: Thing) => unknown): Thing => {
    endings.push(() => end(thing))
    return thing
  }
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'rolocom-faults-'))
    chmodSync(made, 0o711)
    return kept(made, path => rmSync(path, { recursive: true, force: true }))
  }
  // One for all servers: each has a folder of its own, and no start takes a database that another secret belongs to.
  const identity = { IDENTITY_SECRET: randomUUID() }
  const poolers = new Map<string, Promise<PgBouncer>>()
  const pooler = (url: string, settings?: Readonly<Record<string, string>>) =>
    startPgBouncer(folder(), url, settings).then(pgbouncer => kept(pgbouncer, one => one.stop()))
  const pooled = async (environment: Record<string, string>): Promise<Record<string, string>> => {
    const { DATABASE_URL: url } = environment
    if (!isPooled || !url || environment.DATABASE_DIRECT_URL) return environment
    const hosts = addressesOf(url).map(async address => {
      if (!poolers.has(address)) poolers.set(address, pooler(address, quickRetry))
      return new URL((await poolers.get(address))?.url ?? '').host
    })
    const { host } = new URL(addressesOf(url)[0] ?? '')
    const all = new URL(addressesOf(url)[0] ?? '').href.replace(host, (await Promise.all(hosts)).join(','))
    return { ...environment, DATABASE_URL: all, DATABASE_DIRECT_URL: url }
  }
  return {
    folder,
    kept,
    disk: megabytes => kept(makeDisk(megabytes), disk => disk.remove()),
    cluster: async (settings, inside = folder()) => kept(await startCluster(inside, settings), cluster => cluster.stop()),
    standby: async primary => kept(await startStandby(folder(), primary), cluster => cluster.stop()),
    relay: async toPort => kept(await startRelay(toPort), relay => relay.close()),
    pgbouncer: (cluster, settings) => pooler(cluster.url(), settings),
    redis: async () => kept(await startRedis(folder()), redis => redis.stop()),
    server: async (environment, key, dataDir = folder(), root = undefined) =>
      kept(await startServer(dataDir, key, { ...identity, ...(await pooled(environment)) }, root), server =>
        server.kill({ postgres: environment.DATABASE_URL === undefined }),
      ),
    traffic: (servers, options) =>
      kept(
        startTraffic(servers, options, text => findings.push(text)),
        traffic => traffic.stop(),
      ),
    found: text => void findings.push(text),
    // The first 12, because further ones are usually the same.
    findings: () => findings.slice(0, 12),
    async close() {
      for (const end of endings.reverse()) await end()
    },
  }
}
