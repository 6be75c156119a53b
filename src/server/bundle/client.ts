// Builds dist/client, which programs import as rolocom/client: modules for Node, browsers and edge runtimes, and their types.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildPart } from './part.ts'
import { collect, ownConfiguration } from './vite.ts'

interface Package {
  exports: Record<string, { 'rolocom-source': string }>
  dependencies: Record<string, string>
}

// The exports of package.json, by the name of the module.
const entriesOf = (root: string, { exports }: Package) =>
  Object.fromEntries(Object.values(exports).map(({ 'rolocom-source': source }) => [basename(source, '.ts'), join(root, source)] as const))

/** Builds the client library of the project in `root`, unless its build is current. */
export const buildClient = (root: string): Promise<'built' | 'current'> =>
  buildPart(root, 'client', async draft => {
    const [modules] = await Promise.all([bundle(root, draft), writeTypes(root, draft)])
    return modules
  })

async function bundle(root: string, outDir: string): Promise<string[]> {
  const { build } = await import('vite')
  const described = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package
  const modules: string[] = []
  await build({
    ...ownConfiguration(root),
    plugins: [collect(modules)],
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: false,
      sourcemap: true,
      minify: false,
      license: { fileName: 'licenses.md' },
      lib: { entry: entriesOf(root, described), formats: ['es'] },
      // Dependencies that are installed with the package are not copied into it.
      rolldownOptions: { external: Object.keys(described.dependencies) },
    },
  })
  return modules
}

// Beside the modules, one for each source.
async function writeTypes(root: string, outDir: string): Promise<void> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const fail = (error: { stdout?: string }) => {
    throw new Error(`The types of the client library could not be written:\n${error.stdout}`, { cause: error })
  }
  await promisify(execFile)(process.execPath, [compiler, '--project', 'src/client', '--outDir', outDir], { cwd: root }).catch(fail)
}
