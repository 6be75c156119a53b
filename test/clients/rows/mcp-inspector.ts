// The command line of the MCP Inspector: lists the tools of /mcp, and calls each of them.

import assert from 'node:assert/strict'
import type { Row } from '../row.ts'

interface Tool {
  name: string
  inputSchema: { required?: string[] }
  annotations: { readOnlyHint: boolean }
}

export const row: Row = {
  name: 'MCP Inspector: every tool',
  packages: ['@modelcontextprotocol/inspector'],
  async run({ url, key, tool, folder }) {
    // Instead of a folder in the home of the user.
    process.env.MCP_STORAGE_DIR = folder
    const inspect = async (method: string, ...args: string[]) => {
      const server = ['--cli', `${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`]
      return JSON.parse(await tool('mcp-inspector', [...server, '--method', method, ...args]))
    }
    const called = (name: string, input: Record<string, unknown>) =>
      inspect('tools/call', '--tool-name', name, ...Object.entries(input).flatMap(([field, value]) => ['--tool-arg', `${field}=${value}`]))

    const { tools } = (await inspect('tools/list')) as { tools: Tool[] }
    const { structuredContent: contact } = await called('create_contact', { firstName: 'Inspected' })
    const { structuredContent: other } = await called('create_contact', { firstName: 'Inspected too' })
    const { structuredContent: job } = await called('enqueue_enrichment', { hostApp: 'rolocom', kind: 'contact', id: contact.id })
    const { structuredContent: merge } = await called('merge_records', { winnerId: contact.id, loserId: other.id })
    await called('undo_merge', { mergeId: merge.mergeId })
    const pair = { winnerId: contact.id, loserId: other.id }
    const inputs: Record<string, Record<string, unknown>> = {
      get_contact: { id: contact.id },
      update_contact: { id: contact.id, city: 'Bonn' },
      log_note: { contactId: contact.id, text: 'Seen' },
      get_enrichment: { id: job.id },
      preview_merge: pair,
      merge_records: pair,
      dismiss_duplicate: { contactId: contact.id, otherId: other.id },
    }
    // Of nothing that exists: an error of the tool, with which the program fails.
    const nothing = '019a0000-0000-7000-8000-000000000000'
    const refused: Record<string, Record<string, unknown>> = {
      get_call: { id: nothing },
      place_call: { agentId: nothing, toNumber: '+15550100001' },
      undo_merge: { mergeId: nothing },
      accept_suggestion: { id: nothing },
      reject_suggestion: { id: nothing },
    }
    for (const { name, inputSchema, annotations } of tools) {
      if (['create_contact', 'enqueue_enrichment'].includes(name)) continue
      const dryRun = annotations.readOnlyHint ? {} : { dry_run: true }
      const { required = [] } = inputSchema
      const isNamed = name in refused || name in inputs || required.length === 0
      const answer = called(name, {
        ...(refused[name] ?? inputs[name] ?? Object.fromEntries(required.map(field => [field, nothing]))),
        ...dryRun,
      })
      // Tools that are not named here are asked about nothing that exists: they answer, or say what to do.
      if (!isNamed) await answer.catch(error => assert.match(String(error), /whatToDo/, name))
      else if (name in refused) await assert.rejects(answer, /whatToDo/, name)
      else assert.ok((await answer).structuredContent, name)
    }
    return `${tools.length} tools listed and called`
  },
}
