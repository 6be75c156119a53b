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

// See "Memory" and "Garbage collection" in src/README.md.
function flagsOf(root: string): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, flags] = /exec node (.*) src\/entry\.js/.exec(scripts.start) ?? []
  if (flags === undefined) throw new Error('package.json: the script "start" has no `exec node <flags> src/entry.js`')
  return flags
}
