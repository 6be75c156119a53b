// Requests of a workload: sent once, or for some seconds by wrk, else by autocannon.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'
import { cpuSeconds, isInstalled, otherCpu, pinned } from './processes.ts'

/** `{{n}}` in the body or a header becomes a value that was never sent before. */
export interface Workload {
  method?: string
  path?: string
  /** Asked in turn, in place of `path`. */
  paths?: string[]
  headers: Record<string, string>
  body?: unknown
  /** 200 unless said. */
  status?: number
  /** How often each text stands in the answer. */
  count: Record<string, number>
}

export interface Outcome {
  answers: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Requests without an answer, or with an unexpected status. */
  bad: number
  /** Taken by the load generator. */
  cpuSeconds: number
}

export const generator = process.env.LOADER ?? (isInstalled('wrk') ? 'wrk' : 'autocannon')

const requestsOf = ({ method = 'GET', path = '', paths = [path], headers, body }: Workload) => ({
  method,
  paths,
  headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  body: body === undefined ? undefined : JSON.stringify(body),
})

const filled = (value: string, unique: string) => value.replaceAll('{{n}}', unique)
const filledHeaders = (headers: Record<string, string>, unique: string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, unique)]))

/** The answer to one request. */
export interface Answer {
  text: string
  headers: Headers
}

/** Sends one request. Throws when the answer is not the expected one, so that no fast wrong answer is measured. */
export async function answerTo(workload: Workload, url: string): Promise<Answer> {
  const { method, paths, headers, body } = requestsOf(workload)
  const unique = randomUUID()
  const response = await fetch(url + paths[0], {
    method,
    headers: filledHeaders(headers, unique),
    ...(body !== undefined && { body: filled(body, unique) }),
  })
  const answer = await response.text()
  const { status = 200, count } = workload
  if (response.status !== status) throw new Error(`status ${response.status} in place of ${status}: ${answer.slice(0, 300)}`)
  for (const [part, times] of Object.entries(count)) {
    const found = answer.split(part).length - 1
    if (found !== times) throw new Error(`${part} occurs ${found} times in place of ${times}: ${answer.slice(0, 300)}`)
  }
  if (answer.includes('"errors"')) throw new Error(answer.slice(0, 300))
  return { text: answer, headers: response.headers }
}

export interface LoadOptions {
  url: string
  seconds: number
  connections: number
  /** A folder for scripts. */
  scratch: string
}

export const load = (workload: Workload, options: LoadOptions): Promise<Outcome> =>
  generator === 'wrk' ? loadByWrk(workload, options) : loadByAutocannon(workload, options)

async function loadByWrk(workload: Workload, { url, seconds, connections, scratch }: LoadOptions): Promise<Outcome> {
  const script = join(scratch, `${randomUUID()}.lua`)
  writeFileSync(script, luaOf(workload))
  const child = spawn(...pinned(otherCpu, ['wrk', '-t1', '--timeout', '10s', `-c${connections}`, `-d${seconds}s`, '-s', script, url]), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let taken = 0
  // The CPU time of an ended process cannot be read, so it is sampled.
  const watch = setInterval(() => (taken = cpuSeconds(child.pid ?? 0) || taken), 250)
  const output = await text(child.stdout).finally(() => clearInterval(watch))
  const [, report] = /@@(.*)/.exec(output) ?? []
  if (!report) throw new Error(`wrk: ${output}`)
  // Printed by the script below.
  return { ...(JSON.parse(report) as Omit<Outcome, 'cpuSeconds'>), cpuSeconds: taken }
}

// A request without {{n}} is made once.
function luaOf(workload: Workload): string {
  const { method, paths, headers, body } = requestsOf(workload)
  const quote = (value: string) =>
    JSON.stringify(value).replace(/[\u007f-\uffff]/g, character => [...Buffer.from(character)].map(byte => `\\${byte}`).join(''))
  const isUnique = JSON.stringify([headers, body]).includes('{{n}}')
  return `
local paths = { ${paths.map(quote).join(', ')} }
local headers = { ${Object.entries(headers)
    .map(([name, value]) => `[${quote(name)}] = ${quote(value)}`)
    .join(', ')} }
local body = ${body === undefined ? 'nil' : quote(body)}
local n, made = 0, {}
function init()
  for i, path in ipairs(paths) do made[i] = wrk.format('${method}', path, headers, body) end
end
function request()
  n = n + 1
  if not ${isUnique} then return made[n % #paths + 1] end
  local unique, own = '${randomUUID()}-' .. n, {}
  for name, value in pairs(headers) do own[name] = (tostring(value):gsub('{{n}}', unique)) end
  return wrk.format('${method}', paths[n % #paths + 1], own, body and (body:gsub('{{n}}', unique)))
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('@@{"answers":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"bad":%d}\\n', summary.requests, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, errors.status + errors.connect + errors.read + errors.timeout))
end
`
}

async function loadByAutocannon(workload: Workload, { url, seconds, connections }: LoadOptions): Promise<Outcome> {
  const { method, paths, headers, body } = requestsOf(workload)
  const run = randomUUID()
  let sent = 0
  const isUnique = JSON.stringify([headers, body]).includes('{{n}}')
  const cpuBefore = process.cpuUsage()
  const begun = performance.now()
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: paths.map(path => ({
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
      ...(isUnique && {
        setupRequest: request => {
          const unique = `${run}-${++sent}`
          return { ...request, headers: filledHeaders(headers, unique), ...(body !== undefined && { body: filled(body, unique) }) }
        },
      }),
    })),
  })
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    answers: result['2xx'],
    seconds: (performance.now() - begun) / 1000,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    bad: result.non2xx + result.errors,
    cpuSeconds: (user + system) / 1e6,
  }
}
