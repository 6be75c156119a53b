// hey-api's generator: the client compiles in strict mode and is called with its own authentication.

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'hey-api',
  packages: ['@hey-api/openapi-ts'],
  async run({ url, folder, tool, use }) {
    const config = { input: `${url}/openapi.json`, output: { path: 'api', module: { extension: '.ts' } } }
    await writeFile(path.join(folder, 'openapi-ts.config.mjs'), `export default ${JSON.stringify(config)}\n`)
    await tool('openapi-ts', ['-f', 'openapi-ts.config.mjs', '--no-log-file'])
    return use('hey-api.ts')
  },
}
