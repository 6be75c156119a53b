// The command of a checkout, which runs main.ts. JavaScript, so that a Node without TypeScript says here what it needs.

import { existsSync } from 'node:fs'

const build = new URL('../dist/server/main.js', import.meta.url)
// One of the development packages, which are what the sources run on.
if (existsSync(new URL('../node_modules/vite', import.meta.url))) {
  if (process.features.typescript) await import('./main.ts')
  else
    fail(
      `Rolocom needs Node 22.18 or newer here, and npm brings one along; this is Node ${process.versions.node}. Run: npm install, then npm start`,
    )
}
// After `npm ci --omit=dev` the build is run, whatever the sources are: nothing else can be.
else if (existsSync(build)) await import(build.href)
else fail('Rolocom is not installed yet. Run: npm install')

/** @param {string} sentence */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}
