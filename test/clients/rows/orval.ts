// orval's fetch client: it compiles in strict mode and is called.

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'orval',
  packages: ['orval'],
  async run({ url, folder, tool, use }) {
    const output = {
      target: 'api.ts',
      client: 'fetch',
      mode: 'single',
      baseUrl: url,
      override: { fetch: { includeHttpResponseReturnType: true } },
    }
    const config = { api: { input: { target: `${url}/openapi.json` }, output } }
    await writeFile(path.join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}\n`)
    await tool('orval', ['--config', 'orval.config.mjs'])
    return use('orval.ts')
  },
}
