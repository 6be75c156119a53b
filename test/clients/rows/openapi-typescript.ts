// openapi-typescript with openapi-fetch: the types compile in strict mode, and operations are called with them.

import type { Row } from '../row.ts'

export const row: Row = {
  name: 'openapi-typescript',
  packages: ['openapi-typescript', 'openapi-fetch'],
  async run({ url, tool, use }) {
    await tool('openapi-typescript', [`${url}/openapi.json`, '-o', 'api.ts'])
    return use('openapi-typescript.ts')
  },
}
