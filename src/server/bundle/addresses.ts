// A plugin of the bundler: files that a module reads, and programs that it starts, are found from the bundle as from the sources.

import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import type { Plugin } from 'vite'

// The package's root, from the folder of all chunks.
const fromBundle = '../..'

// A program that runs in a process or thread of its own; a file of a package, such as a style sheet; and any other use.
const address =
  /new URL\('([^']+\.ts)', import\.meta\.url\)|new URL\('([^']+)', pathToFileURL\(createRequire\(import\.meta\.url\)\.resolve\('([^']+)'\)\)\)|\bimport\.meta\.url\b/g
const unsupported = /\bimport\.meta\.(dirname|filename)\b/

/**
 * Files that are read in place (documents, pages, migrations) keep their paths, from the package's root, because a package has these files where a
 * checkout has them. Programs become chunks, and files of packages assets, beside the bundle, with the licence of their package.
 */
export function sourceAddresses(root: string, entry: string): Plugin {
  return {
    name: 'source-addresses',
    enforce: 'pre',
    transform: {
      // This file has such addresses in its strings.
      filter: { code: /import\.meta\./, id: { exclude: /node_modules|server\/bundle\// } },
      handler(code, id) {
        if (!id.startsWith(root)) return
        if (id !== entry && unsupported.test(code)) this.error('use import.meta.url: the folder of a module is another one in the bundle')
        const text = code.replace(address, (_, program?: string, file?: string, module?: string) => {
          if (program !== undefined) {
            const source = join(dirname(id), program)
            const fileName = `${basename(program, '.ts')}.js`
            if (source !== entry) this.emitFile({ type: 'chunk', id: source, fileName })
            return `new URL('./${fileName}', import.meta.url)`
          }
          if (file !== undefined && module !== undefined) {
            for (const license of licensesOf(root, module)) this.emitFile({ type: 'asset', ...license })
            const source = readFileSync(join(dirname(createRequire(id).resolve(module)), file))
            this.emitFile({ type: 'asset', fileName: file, source })
            return `new URL('./${file}', import.meta.url)`
          }
          return `new URL('${fromBundle}/${relative(root, id)}', import.meta.url).href`
        })
        // Each replacement is within a line, so lines stay what the source map says.
        return { code: text, map: null }
      },
    },
  }
}

function licensesOf(root: string, module: string): { fileName: string; source: string }[] {
  const name = module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')
  return globSync('{LICENSE,NOTICE}*', { cwd: join(root, 'node_modules', name) }).map(file => ({
    fileName: `licenses/${name.replace('/', '-')}.${file}`,
    source: readFileSync(join(root, 'node_modules', name, file), 'utf8'),
  }))
}
