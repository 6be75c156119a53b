// `npm run attack`: starts a server, attacks it through every door, and prints the measured cost. Takes minutes; loopback only.
//
//   SHORT=1 npm run attack          the short round, which CI runs
//   ONLY=bodies,flood npm run attack
//
// Each chapter starts its own server and resolves with figures. The exit status is 1 if a figure exceeds its limit.

import { bodies } from './bodies.ts'
import { flood } from './flood.ts'
import { type Figure, report } from './report.ts'
import { scopeMatrix } from './scopes.ts'
import { takeover } from './takeover.ts'

export interface Round {
  isShort: boolean
}

const chapters: Record<string, { name: string; run(round: Round): Promise<Figure[]> }> = {
  bodies: { name: 'Hostile bodies and queries through every door, one at a time', run: bodies },
  scopes: { name: 'Data visible to a key with a single scope', run: scopeMatrix },
  flood: { name: 'Forty connections of expensive anonymous queries beside an honest caller', run: flood },
  takeover: { name: "Accounts created with another person's email address before the owner signs in, and sign-outs", run: takeover },
}

const round = { isShort: process.env.SHORT === '1' }
const wanted = process.env.ONLY?.split(',') ?? Object.keys(chapters)
const results: { name: string; figures: Figure[] }[] = []
for (const [key, { name, run }] of Object.entries(chapters)) {
  if (!wanted.includes(key)) continue
  console.log(`--- ${key}`)
  results.push({ name, figures: await run(round) })
}
process.exit(report(results) ? 0 : 1)
