// A worker thread that sends distinct expensive documents over many connections until it receives a message.

import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { url, who, connections } = workerData as { url: string; who: 'anonymous' | 'guest'; connections: number }
const headers = { 'content-type': 'application/json', ...(who === 'guest' && { 'x-guest-id': 'flood' }) }
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const statuses: Record<string, number> = {}
let isStopped = false
let sent = 0

const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index)).join(' ')
const kinds: ((n: number) => string)[] = [
  n => `{ ${times(29, i => `a${n}_${i}: contacts(first: 3) { nodes { id email calls(first: 2) { nodes { id status } } } }`)} }`,
  n => `{ ${times(150, i => `a${n}_${i}: __typename`)} contacts { nodes { id } } }`,
  n => `{ contacts(first: 40) { nodes { ${times(25, i => `b${n}_${i}: id`)} ${'id '.repeat(900)} } } }`,
  n => `query Q${n} { __schema { types { name fields { name args { name type { name } } type { name ofType { name } } } } } }`,
  n => `{ ${times(200, i => `...F${n}_${i}`)} } ${times(200, i => `fragment F${n}_${i} on Query { me { userId } }`)}`,
  n =>
    `{ contacts(filter: { q: "x${n}" }, first: 100) { nodes { id timeline(first: 10) { nodes { id } } calls(first: 10) { nodes { id } } } } }`,
]

function ask(): void {
  if (isStopped) return
  const query = kinds[sent % kinds.length]?.(sent++)
  const req = request(`${url}/graphql`, { method: 'POST', agent, headers }, res => {
    statuses[res.statusCode ?? 0] = (statuses[res.statusCode ?? 0] ?? 0) + 1
    res.resume().once('end', ask)
  })
  req.once('error', error => {
    if (isStopped) return
    statuses[error.message] = (statuses[error.message] ?? 0) + 1
    setTimeout(ask, 10)
  })
  req.end(JSON.stringify({ query }))
}

for (let connection = 0; connection < connections; connection++) ask()
parentPort?.once('message', () => {
  isStopped = true
  agent.destroy()
  parentPort?.postMessage(statuses)
})
