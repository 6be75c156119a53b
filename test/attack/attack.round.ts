// Attacks a server of its own through every door, and prints what that cost. Takes minutes; loopback only.
//
//   npm run round -- attack                the whole round
//   SHORT=1 npm run round -- attack        without the flood: less than a minute, which every change runs
//   npm run round -- attack -t flood
//
// Each attack starts its own server and resolves with figures. It fails where a figure exceeds its limit.

import { expect, test } from 'vitest'
import { bodies } from './bodies.ts'
import { flood } from './flood.ts'
import { type Figure, report } from './report.ts'

const attacks: Record<string, () => Promise<Figure[]>> = {
  'bodies: hostile bodies and queries through every door, one at a time': bodies,
  ...(process.env.SHORT !== '1' && { 'flood: forty connections of expensive anonymous queries beside an honest caller': flood }),
}

test.for(Object.entries(attacks))('%s', async ([, attack]) => {
  const figures = await attack()

  console.log(report(figures))
  expect(figures.filter(({ isGood }) => !isGood)).toEqual([])
})
