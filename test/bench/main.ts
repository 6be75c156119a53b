// npm run bench: one of the benches, by its name; without one that of requests, beside peers (bench.ts).
//
//   npm run bench -- search --contacts 1000000

const benches: Readonly<Record<string, { load: () => Promise<unknown>; usesAllCores?: boolean }>> = {
  requests: { load: () => import('./bench.ts') },
  fair: { load: () => import('./sharing/fair.ts'), usesAllCores: true },
  search: { load: () => import('./search.ts') },
  start: { load: () => import('./start.ts') },
  web: { load: () => import('../web/bench/bench.ts') },
  work: { load: () => import('./work.ts'), usesAllCores: true },
}

const [, , first = ''] = process.argv
const isNamed = /^\w/.test(first)
const bench = benches[isNamed ? first : 'requests']
if (!bench) {
  console.error(`There is no bench ${first}. There are: ${Object.keys(benches).join(', ')}`)
  process.exit(1)
}
// A bench reads its own options.
if (isNamed) process.argv.splice(2, 1)
if (bench.usesAllCores) process.env.PIN ??= '0'
await bench.load()
