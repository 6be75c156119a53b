// openapi-typescript with openapi-fetch: types compiled strict, operations called through them.

import type { Row } from '../row.ts'

export const row: Row = {
  name: 'openapi-typescript',
  packages: ['openapi-typescript', 'openapi-fetch'],
  async run({ url, tool, use }) {
    await tool('openapi-typescript', [`${url}/openapi.json`, '-o', 'api.ts'])
    return use('openapi-typescript.ts')
  },
}
