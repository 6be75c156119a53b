// Attacks a server of its own through every door, and prints what it cost: `npm run attack`. Minutes, loopback only.
//
//   SHORT=1 npm run attack          the round that CI runs
//   ONLY=bodies,flood npm run attack
//
// A chapter gets no server but starts the one it needs, and resolves with figures. Exit status 1 when one is beyond its limit.

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
  scopes: { name: 'What a key with one scope sees of everything, by content', run: scopeMatrix },
  flood: { name: 'Forty connections of expensive anonymous queries beside an honest caller', run: flood },
  takeover: { name: "Accounts made with somebody's address before they come, and sign-outs", run: takeover },
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
