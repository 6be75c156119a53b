// Builds the web app into dist/web: Vite's output, compressed, with the hash of its sources beside it.

import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { exclusively } from '../bundle/exclusively.ts'
import { folderOf, isCurrent, sourceHash } from './current.ts'

/** Builds the web app of the project in `root`, unless its build is current. Of several processes one builds, the others wait for it. */
export async function buildWeb(root: string): Promise<'built' | 'current'> {
  const dist = join(root, 'dist')
  return exclusively(join(dist, '.building'), async () => {
    if (isCurrent(root)) return 'current'
    // Read before the build: sources that change meanwhile make it outdated.
    const sources = sourceHash(root)
    // Removes drafts of builds that were killed.
    for (const name of globSync('.web.*', { cwd: dist })) rmSync(join(dist, name), { recursive: true, force: true })
    const draft = join(dist, `.web.${process.pid}.new`)
    const { build } = await import('vite')
    await build({ configFile: join(root, 'src/web/vite.config.ts'), build: { outDir: draft, emptyOutDir: true }, logLevel: 'warn' })
    await compressAll(join(draft, 'assets'))
    writeFileSync(join(draft, 'build.json'), `${JSON.stringify({ sources })}\n`)
    const folder = folderOf(root)
    const former = join(dist, `.web.${process.pid}.old`)
    renameIfThere(folder, former)
    renameSync(draft, folder)
    rmSync(former, { recursive: true, force: true })
    return 'built'
  })
}

// Below 1 kB the headers weigh as much as the compression saves; fonts and pictures are compressed already.
const minBytes = 1024
const compressible = /\.(js|mjs|css|svg|json|txt|map)$/

async function compressAll(folder: string): Promise<void> {
  for (const name of globSync('**/*', { cwd: folder }).filter(name => compressible.test(name))) {
    const file = join(folder, name)
    const bytes = readFileSync(file)
    if (bytes.length < minBytes) continue
    const [brotli, zipped] = await Promise.all([compressBrotli(bytes, bytes.length), compressGzip(bytes, { level: 9 })])
    writeFileSync(`${file}.br`, brotli)
    writeFileSync(`${file}.gz`, zipped)
  }
}
const compressGzip = promisify(gzip)
const compressBrotli = (bytes: Buffer, size: number) =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: size },
  })

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
