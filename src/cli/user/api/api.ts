// api: one request to REST, or all pages of a list.

import { text as read } from 'node:stream/consumers'
import { errorOf } from '../../../client/errors.ts'
import { requestOf } from '../../../client/request.ts'
import { send } from '../../../client/send.ts'
import { CommandError, exitStatus, type Terminal } from '../../terminal.ts'
import { printJson } from '../output/print.ts'
import { optionsOf } from '../session/connect.ts'
import { requireSignIn, type ServerFlags } from '../session/server.ts'
import { type FieldFlags, fieldsOf, textOf } from './fields.ts'

export interface Flags extends ServerFlags, FieldFlags {
  input?: string
  header?: string[]
  paginate?: boolean
  include?: boolean
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof methods)[number]

interface Request {
  method: Method
  path: string
  query: Record<string, unknown>
  headers: Record<string, string>
  /** Sent as JSON, or as it is if it is a text. */
  body: unknown
}

export async function api(this: Terminal, flags: Flags, first: string, second?: string): Promise<void> {
  const request = await requestOfWords(this, flags, first, second)
  if (flags.paginate) return await everyPage(this, flags, request)
  const response = await sendRequest(this, flags, request)
  if (flags.include) printHead(this, response)
  await printBody(this, response)
}

async function requestOfWords(terminal: Terminal, flags: Flags, first: string, second?: string): Promise<Request> {
  const { input, header = [], paginate } = flags
  const fields = fieldsOf(flags)
  const hasFields = Object.keys(fields).length > 0
  const named = second === undefined ? (input !== undefined || hasFields ? 'post' : 'get') : first.toLowerCase()
  const method = methods.find(one => one === named)
  if (!method) throw new CommandError(`"${first}" is not a method: GET, POST, PUT, PATCH or DELETE`, exitStatus.usage)
  const path = second ?? first
  if (!path.startsWith('/')) throw new CommandError(`"${path}" is not a path: it begins with /, as /api/crm/v1/contacts`, exitStatus.usage)
  if (paginate && method !== 'get') throw new CommandError('--paginate reads lists, with GET', exitStatus.usage)
  const isInQuery = method === 'get' || method === 'delete' || input !== undefined
  const body =
    input === undefined
      ? hasFields && !isInQuery
        ? fields
        : undefined
      : input === '-'
        ? await read(terminal.process.stdin)
        : textOf(input)
  const isText = typeof body === 'string'
  const headers = Object.fromEntries([...(isText ? [['content-type', 'application/json'] as const] : []), ...header.map(headerOf)])
  return { method, path, query: isInQuery ? fields : {}, headers, body }
}

function headerOf(given: string): [string, string] {
  const colon = given.indexOf(':')
  if (colon < 1) throw new CommandError(`--header "${given}" must look like "Name: value"`, exitStatus.usage)
  return [given.slice(0, colon).trim().toLowerCase(), given.slice(colon + 1).trim()]
}

/** The answer, its body unread. Throws RolocomError for a status of failure, after its body was printed. */
async function sendRequest(terminal: Terminal, flags: Flags, { method, path, ...input }: Request): Promise<Response> {
  const server = requireSignIn(terminal.environment, flags)
  const request = await requestOf(optionsOf(server), method, path, input)
  const response = await send(fetch, request, {}, true)
  if (response.ok) return response
  const text = await response.text()
  if (flags.include) printHead(terminal, response)
  const body = parseOrUndefined(text)
  if (body === undefined) terminal.process.stdout.write(text)
  else printJson(terminal, body)
  throw errorOf(response, body)
}

async function everyPage(terminal: Terminal, flags: Flags, request: Request): Promise<void> {
  const { stdout } = terminal.process
  let cursor: string | null = null
  let before = '['
  do {
    const page: unknown = await (
      await sendRequest(terminal, flags, { ...request, query: { ...request.query, ...(cursor !== null && { cursor }) } })
    ).json()
    if (!isPage(page)) throw new CommandError(`${request.path} does not answer with pages: leave --paginate out`, exitStatus.usage)
    for (const entry of page.data) {
      stdout.write(`${before}\n  ${JSON.stringify(entry)}`)
      before = ','
    }
    cursor = page.next_cursor
  } while (cursor !== null)
  stdout.write(before === '[' ? '[]\n' : '\n]\n')
}

function printHead({ process }: Terminal, { status, statusText, headers }: Response): void {
  process.stdout.write(`HTTP ${status} ${statusText}\n${Array.from(headers, ([name, value]) => `${name}: ${value}\n`).join('')}\n`)
}

/** JSON is indented for a person; everything else is written as it comes. */
async function printBody(terminal: Terminal, response: Response): Promise<void> {
  const { stdout } = terminal.process
  if (!response.body) return
  if (stdout.isTTY && response.headers.get('content-type')?.includes('json')) return printJson(terminal, await response.json())
  for await (const chunk of response.body) if (!stdout.write(chunk)) await new Promise(resolve => stdout.once('drain', resolve))
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isPage = (page: unknown): page is { data: unknown[]; next_cursor: string | null } =>
  typeof page === 'object' && page !== null && 'data' in page && Array.isArray(page.data) && 'next_cursor' in page
