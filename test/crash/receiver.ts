// A receiver of webhooks as a process of its own, to be killed: it writes down what it was sent before it answers.
// Arguments: the port, and the file of its journal.

import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port = '', journal = ''] = process.argv.slice(2)
createServer(async (req, res) => {
  let body = ''
  for await (const chunk of req) body += chunk
  const { type, data } = JSON.parse(body) as {
    type: string
    data: { id: string; object: { version: number } | null; changes: { city?: unknown[] } }
  }
  appendFileSync(journal, `${JSON.stringify([req.headers['webhook-id'], type, data.id, data.changes.city ?? null])}\n`)
  res.writeHead(204).end()
}).listen(Number(port), '127.0.0.1', () => console.log('ready'))
