// Builds dist/server: the program and its packages in a few files, which start several times faster than a thousand sources, and which a
// Node without TypeScript runs. A module loaded at first use stays a file of its own.

import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceAddresses } from './addresses.ts'
import { buildPart } from './part.ts'
import { collect, ownConfiguration } from './vite.ts'

/** Bundles the server of the project in `root`, unless its bundle is current. */
export const buildServer = (root: string): Promise<'built' | 'current'> => buildPart(root, 'server', draft => bundle(root, draft))

async function bundle(root: string, outDir: string): Promise<string[]> {
  const { build } = await import('vite')
  const entry = join(root, 'src/main.ts')
  const modules: string[] = []
  await build({
    ...ownConfiguration(root),
    // Vite is loaded by what builds, in a checkout.
    ssr: { noExternal: true, external: ['vite'] },
    plugins: [sourceAddresses(root, entry), collect(modules)],
    build: {
      ssr: true,
      ssrEmitAssets: true,
      target: 'node22',
      outDir,
      assetsDir: '',
      sourcemap: true,
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        input: { main: entry },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // File and line are enough for a stack trace; the sources' text would be most of a map.
          sourcemapExcludeSources: true,
          // A character beyond Latin-1 makes V8 keep a file's source, which it never drops, in two bytes a character.
          charset: 'ascii',
          // Names stay: stack traces show them, and errors are told apart by the names of their classes.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          banner: chunk => (chunk.isEntry && chunk.name === 'main' ? `#!/usr/bin/env -S node ${flagsOf(root)}` : ''),
        },
      },
    },
  })
  chmodSync(join(outDir, 'main.js'), 0o755)
  return modules
}

// The flags of `npm start`, which test/bench runs too.
//
// --max-old-space-size=1024: V8 collects earlier than without a limit. A process that should hold more needs a `node` line of its own.
// --max-semi-space-size=16: 32 took 45 MiB more after load (292 beside 247) and saved no CPU in pages, creates and GraphQL pages.
// --heap-growing-percent=50: V8 alone lets the old generation grow by a tenth, so that pages under load had a full collection every 1.4 s. The
//   99th percentile of a page fell from 20 ms to 8.
// --no-allocation-site-pretenuring: a server's first objects are caches and connections, which survive. V8 would make later objects of the same
//   code old at once: 5 kB of each create waited for a full collection, and young collections took 8 ms instead of 1.5.
function flagsOf(root: string): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, flags] = /exec node (.*) src\/entry\.js/.exec(scripts.start) ?? []
  if (flags === undefined) throw new Error('package.json: the script "start" has no `exec node <flags> src/entry.js`')
  return flags
}
