// Attacks a server of its own through every door, and prints what that cost. Takes minutes; loopback only.
//
//   npm run round -- attack                the whole round
//   SHORT=1 npm run round -- attack        about a minute, which every change runs
//   npm run round -- attack -t flood
//
// Each attack starts its own server and resolves with figures. It fails where a figure exceeds its limit.

import { expect, test } from 'vitest'
import { bodies } from './bodies.ts'
import { flood } from './flood.ts'
import { type Figure, type Round, report } from './report.ts'

const round: Round = { isShort: process.env.SHORT === '1' }

const attacks: Record<string, (round: Round) => Promise<Figure[]>> = {
  'bodies: hostile bodies and queries through every door, one at a time': bodies,
  'flood: forty connections of expensive anonymous queries beside an honest caller': flood,
}

test.for(Object.entries(attacks))('%s', async ([, attack]) => {
  const figures = await attack(round)

  console.log(report(figures))
  expect(figures.filter(({ isGood }) => !isGood)).toEqual([])
})
