// The warm-up of a server in a case. Node compiles functions while they are used: a create of this server (W3) costs half as much after some
// 25,000 of them. So each server is asked that often, and until its figures no longer change. On a slow machine it takes long.

import type { Name } from './cases/case.ts'
import type { Round } from './report.ts'

type Measured = Pick<Round, 'perSecond' | 'serverMicroseconds'>

export interface WarmUp {
  workload: string
  server: Name
  /** Answered before the first measured round. */
  requests: number
  /** The server's CPU per request in each round of the warm-up. */
  microseconds: readonly number[]
  /** Whether there were enough requests, and the last two rounds were equal but for `tolerance`. */
  isSteady: boolean
}

const tolerance = 0.05
const minRequests = 25_000

/** Repeats rounds of some seconds until 25,000 requests are answered and two successive rounds have the same CPU per request, `maxRounds` at most. */
export async function warmUp(
  { workload, server, seconds, maxRounds }: Pick<WarmUp, 'workload' | 'server'> & { seconds: number; maxRounds: number },
  measure: () => Promise<Measured>,
): Promise<WarmUp> {
  const microseconds: number[] = []
  let requests = 0
  let isSteady = false
  while (!isSteady && microseconds.length < maxRounds) {
    const { perSecond, serverMicroseconds } = await measure()
    requests += Math.round(perSecond * seconds)
    const before = microseconds.at(-1)
    microseconds.push(serverMicroseconds)
    isSteady = requests >= minRequests && before !== undefined && Math.abs(serverMicroseconds / before - 1) <= tolerance
  }
  return { workload, server, requests, microseconds, isSteady }
}

/** A table in Markdown. */
export function warmUpTable(all: readonly WarmUp[]): string {
  const lines = all.map(({ workload, server, requests, microseconds, isSteady }) => {
    const falling = microseconds.map(each => each.toFixed(0)).join(', ')
    return `| ${workload} | ${server} | ${requests} | ${falling}${isSteady ? '' : ', not steady yet'} |`
  })
  return ['| case | server | requests of the warm-up | server CPU us in each of its rounds |', '|---|---|--:|---|', ...lines].join('\n')
}
