// The conformance suite of the Model Context Protocol, against /mcp.

import path from 'node:path'
import { withKey } from '../proxy.ts'
import type { Row } from '../row.ts'

export const row: Row = {
  name: 'MCP conformance: a server',
  packages: ['@modelcontextprotocol/conformance'],
  async run({ url, key, tool }) {
    const proxy = await withKey(url, key)
    const expected = path.join(import.meta.dirname, '../mcp-expected-failures.yml')
    try {
      const text = await tool('conformance', ['server', '--url', `${proxy.url}/mcp`, '--expected-failures', expected])
      const passed = text.match(/^✓ .*: \d+ passed/gm) ?? []
      return `${passed.length} scenarios passed, the others do not apply`
    } finally {
      proxy.close()
    }
  },
}
