// A row of `npm run round -- faults`: one fault, injected into its own servers and clusters, with figures of its effect on callers.

import type { Lab } from './lab.ts'

/** Optional programs: a row whose program is missing is skipped, with its name printed. */
export type Tool = 'pgbouncer' | 'redis-server' | 'pg_dump'

export interface Figures {
  /** Milliseconds from the end of the fault, or from a fault that does not end, until every request succeeded. */
  recoveryMs?: number
  /** Acknowledged writes that are not there. */
  lost: number
  /** Writes that happened twice. */
  doubled: number
  /** Answers that are wrong, or neither a success nor a 503. */
  wrong: number
  /** Requests without an answer within the row's time limit. */
  hung: number
  /** What else the row measures. */
  [figure: string]: number | undefined
}

export interface Row {
  /** A sentence: what happens, and what must hold. */
  name: string
  needs?: readonly Tool[]
  /** What else the machine lacks for it: the row is skipped with this reason. */
  lacks?(): Promise<string | undefined>
  /** Whether it belongs to the short round of CI: seconds, not minutes. */
  isShort: boolean
  /** Whether the row is about the connections to PostgreSQL itself, so that it is left out with a pooler in between. */
  isDirect?: boolean
  /** The highest that each figure may be. Absent: 0 for lost, doubled, wrong and hung, 15,000 for recoveryMs, no limit for others. */
  limits?: Partial<Figures>
  run(lab: Lab): Promise<Figures>
}
