// Spectral: checks the OpenAPI document with the full ruleset, including warnings.

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'spectral:oas',
  packages: ['@stoplight/spectral-cli'],
  async run({ url, folder, tool }) {
    const rules = path.join(folder, 'rules.json')
    await writeFile(rules, JSON.stringify({ extends: ['spectral:oas'] }))
    await tool('spectral', ['lint', `${url}/openapi.json`, '--ruleset', rules, '--fail-severity', 'warn'])
    return 'no error, no warning'
  },
}
