// The report of a bench: one table, and a JSON of each run, with which the next one is compared.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../support/median.ts'
import type { Case, Name } from './cases/case.ts'
import type { WarmUp } from './warm-up.ts'

/** One measured round of a server in a case. CPU times are of one request, or of one delivered change. */
export interface Round {
  workload: string
  server: Name
  round: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  bad: number
  serverMicroseconds: number
  databaseMicroseconds: number
  /** CPU of the load generator, which shares PostgreSQL's core. Runs kept before it was measured have none. */
  generatorMicroseconds?: number
  /** CPU that other programs took, in percent of one core. */
  otherPercent: number
}

interface Figures extends Omit<Round, 'round'> {
  /** A peer's CPU, with PostgreSQL's, divided by this server's. */
  ratio: number | null
}

export interface Run {
  at: string
  /** Runs with other settings are not compared with. */
  settings: Readonly<Record<string, unknown>>
  starts: readonly { server: Name; ms: number; residentMiB: number }[]
  warmUps: readonly WarmUp[]
  figures: readonly Figures[]
}

/**
 * The CPU of the least disturbed round, and the medians of the others. Other programs on the machine only ever add to the CPU of a request:
 * they empty its caches, and a large program's more than a small one's, so that ratios of disturbed rounds are in the small one's favor.
 */
export function figuresOf(rounds: readonly Round[]): Figures[] {
  return Object.values(Object.groupBy(rounds, ({ workload, server }) => `${workload} ${server}`)).flatMap((of = []) => {
    const [first] = of
    if (!first) return []
    const middle = (pick: (round: Round) => number) => median(of.map(pick).filter(Number.isFinite))
    // A round without an answer has no figure.
    const least = (all: readonly Round[], pick: (round: Round) => number) => Math.min(...all.map(pick).filter(Number.isFinite))
    const serverMicroseconds = least(of, one => one.serverMicroseconds)
    const both = (all: readonly Round[]) => least(all, one => one.serverMicroseconds) + least(all, one => one.databaseMicroseconds)
    const own = rounds.filter(({ workload, server }) => workload === first.workload && server === 'project')
    return {
      workload: first.workload,
      server: first.server,
      perSecond: middle(one => one.perSecond),
      p50Ms: middle(one => one.p50Ms),
      p99Ms: middle(one => one.p99Ms),
      bad: of.reduce((sum, { bad }) => sum + bad, 0),
      serverMicroseconds,
      databaseMicroseconds: least(of, one => one.databaseMicroseconds),
      generatorMicroseconds: least(of, one => one.generatorMicroseconds ?? 0),
      otherPercent: middle(one => one.otherPercent),
      ratio: first.server === 'project' || own.length === 0 ? null : both(of) / both(own),
    }
  })
}

const folder = join(import.meta.dirname, '.work')

/** The figures of the kept runs with the same settings, the newest last. */
export function keptFigures(settings: Run['settings']): Figures[] {
  const files = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.json')) : []
  const runs = files.toSorted().map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Run)
  return runs.filter(run => JSON.stringify(run.settings) === JSON.stringify(settings)).flatMap(({ figures }) => figures)
}

/** Keeps the run. Returns the path of its file. */
export function keep(run: Run): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${run.at.replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
  return file
}

/** A table in Markdown. `kept`: the figures of earlier runs, of which the newest are compared with these. */
export function tableOf({ figures, starts }: Run, kept: readonly Figures[], whatOf: (workload: string) => string): string {
  const lines = [
    '| case | server | server CPU us | ratio | change | PostgreSQL CPU us | requests/s | p50 ms | p99 ms | other load % |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|',
  ]
  let before = ''
  for (const one of figures) {
    const { workload, server, bad, ratio } = one
    const cells = [
      workload === before ? '' : `${workload} ${whatOf(workload)}`,
      bad > 0 ? `${server} (${bad} bad)` : server,
      shown(one.serverMicroseconds),
      ratio === null ? '' : shown(ratio, 2),
      changeOf(one, kept),
      shown(one.databaseMicroseconds),
      shown(one.perSecond),
      shown(one.p50Ms, 2),
      shown(one.p99Ms, 2),
      shown(one.otherPercent),
    ]
    before = workload
    lines.push(`| ${cells.join(' | ')} |`)
  }
  lines.push('', '| server | first answer after ms | resident MiB after load |', '|---|--:|--:|')
  for (const { server, ms, residentMiB } of starts) lines.push(`| ${server} | ${shown(ms)} | ${shown(residentMiB)} |`)
  return lines.join('\n')
}

/** The cases in which this server is not as much cheaper than its best peer as it has to be. */
export function belowFloors(figures: readonly Figures[], cases: readonly Pick<Case, 'name' | 'floor'>[]): string[] {
  return cases.flatMap(({ name, floor = 0 }) => {
    const peers = figures.filter(({ workload, server }) => workload === name && !server.startsWith('project'))
    const least = Math.min(...peers.flatMap(({ ratio }) => ratio ?? []))
    return least < floor ? [`${name} is below its floor of ${floor}: ${shown(least, 2)}`] : []
  })
}

const pooledFloor = 0.85
export const isBelow = `below ${pooledFloor}`

/** Per case, what this server behind a pooler reaches of what it does on a direct connection, each in its least disturbed round. */
export function pooledShares(rounds: readonly Round[]): string[] {
  return Object.entries(Object.groupBy(rounds, ({ workload }) => workload)).flatMap(([workload, all = []]) => {
    const of = (name: Name, pick: (round: Round) => number) => all.filter(({ server }) => server === name).map(pick)
    const most = (name: Name) => Math.max(...of(name, ({ perSecond }) => perSecond))
    const least = (name: Name) => Math.min(...of(name, ({ serverMicroseconds }) => serverMicroseconds).filter(Number.isFinite))
    const rate = most('project pooled') / most('project')
    const cpu = least('project') / least('project pooled')
    if (!Number.isFinite(rate) || !Number.isFinite(cpu)) return []
    const verdict = Math.min(rate, cpu) < pooledFloor ? `, ${isBelow}` : ''
    return [`pooled beside direct: ${workload} requests/s ${shown(rate, 2)}, by server CPU ${shown(cpu, 2)}${verdict}`]
  })
}

// Of this server, how much its CPU time has changed; of a peer, how much the ratio has, which moves less with the machine's load.
function changeOf({ workload, server, serverMicroseconds, ratio }: Figures, kept: readonly Figures[]): string {
  const before = kept.findLast(other => other.workload === workload && other.server === server)
  if (!before) return ''
  const change = ratio !== null && before.ratio !== null ? ratio / before.ratio : serverMicroseconds / before.serverMicroseconds
  return Number.isFinite(change) ? `${change < 1 ? '' : '+'}${shown((change - 1) * 100)} %` : ''
}

function shown(figure: number, digits = 0): string {
  return Number.isFinite(figure) ? figure.toFixed(digits) : '-'
}
