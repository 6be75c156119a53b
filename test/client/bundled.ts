// A file of src/client with all that it imports, minified: a script that defines a global `rolocom_<name>`.

import { join } from 'node:path'
import { build } from 'vite'

const folder = join(import.meta.dirname, '../../src/client')

export async function bundled(entry: string): Promise<string> {
  const lib = { entry: join(folder, entry), formats: ['iife' as const], name: `rolocom_${entry.replace('.ts', '')}` }
  const built = await build({ root: folder, configFile: false, logLevel: 'warn', build: { lib, write: false, minify: true } })
  const outputs = [built].flat().flatMap(each => ('output' in each ? each.output : []))
  const [chunk, ...others] = outputs
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error(`${entry} is not one chunk`)
  return chunk.code
}
