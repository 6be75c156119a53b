// hooks test <name> --file payload.json: shows the actions that a hook makes of a payload, without executing them. hooks send <name>
// --file: signs the payload like its sender, and posts it to the running server.

import { readFileSync } from 'node:fs'
import { ConfigError } from '../../../config/environment.ts'
import type { Mapping } from '../../../config/gateway/mappings.ts'
import { signatureHeaders } from '../../../hooks/authentication/signatures.ts'
import { asObject, type Payload, parsePayload, readPayload } from '../../../hooks/body.ts'
import type { CompiledMapping } from '../../../hooks/mappings/mapping.ts'
import { readyMappings, requestForMapping } from '../../../hooks/mappings/mappings.ts'
import { createTransforms } from '../../../hooks/mappings/transforms.ts'
import { agentPayload, wakePayload } from '../../../hooks/payloads.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Command } from '../command.ts'
import { send } from './send.ts'

const usage =
  'hooks knows test <name> and send <name>, each with --file <payload.json> [--header "Name: value"] [--query a=1]; send also with --url http://host:port'

export async function hooks(command: Command): Promise<void> {
  const { config, words, options, print } = command
  const [action, name] = words
  if ((action !== 'test' && action !== 'send') || !name) throw new ConfigError([usage])
  if (options.file === undefined) throw new ConfigError([`hooks ${action} wants --file <payload.json>`])
  const isDirect = name === 'wake' || name === 'agent'
  if (!isDirect && config.GATEWAY_CONFIG === undefined)
    throw new ConfigError([
      `GATEWAY_CONFIG is not set, so there is no mapping or preset for ${name}: name the gateway's file, as in GATEWAY_CONFIG=gateway.json5 npm run rolocom -- hooks ${action} ${name} --file ${options.file}`,
    ])
  const bytes = bytesOf(options.file)
  const headers = headersOf(options.header ?? [])
  const payload = await payloadIn(options.file, () => (isDirect ? parsePayload(bytes) : readPayload(bytes, headers['content-type'])))
  if (action === 'test') return print(JSON.stringify(await testHook(command, name, headers, payload), null, 2))

  const owner = isDirect ? null : (findMapping(command, name, headers, payload).owner?.mapping ?? null)
  if (!isDirect && !owner)
    throw new ConfigError([`no mapping takes this payload with these headers for ${name}; hooks test shows those there are`])
  print(await send(command, { name, auth: owner?.auth, headers, bytes }))
}

async function testHook(command: Command, name: string, headers: Record<string, string>, payload: Payload): Promise<unknown> {
  try {
    if (name === 'wake')
      return { status: 200, opensWith: 'the hook token', actions: [{ kind: 'wake', payload: wakePayload(asObject(payload)) }] }
    if (name === 'agent')
      return { status: 202, opensWith: 'the hook token', actions: [{ kind: 'agent', payload: agentPayload(asObject(payload)) }] }
    return await testMapping(command, name, headers, payload)
  } catch (error) {
    if (error instanceof AppError) return { status: 400, error: error.message, ...reasonOf(error) }
    throw error
  }
}

async function testMapping(command: Command, name: string, headers: Record<string, string>, payload: Payload): Promise<unknown> {
  const { hooks } = command.config.gateway
  const { owner, mappings } = findMapping(command, name, headers, payload)
  if (!owner) {
    const isNamed = mappings.some(one => one.mayOwn(name))
    return {
      status: 404,
      error: isNamed ? 'No mapping takes this payload with these headers' : 'No mapping takes this name',
      mappings: mappings.map(({ mapping }) => ({ id: mapping.id, match: mapping.match })),
    }
  }
  const transforms = hooks.transformsDir === null ? null : createTransforms(hooks.transformsDir)
  try {
    const query = new URLSearchParams(command.options.query)
    const request = requestForMapping({ req: { headers }, base: hooks.path, name, query, payload, now: new Date() })
    const actions = await owner.actions(request, transforms)
    const { id, auth, scopes = hooks.scopes, creditCeiling = hooks.creditCeiling } = owner.mapping
    const unnamed = auth?.hmac ? 'the signed message' : undefined
    return {
      status: actions.length === 0 ? 204 : actions.some(({ kind }) => kind === 'agent') ? 202 : 200,
      mapping: id,
      opensWith: opening(owner.mapping),
      ...(actions.some(({ kind }) => kind === 'agent') && { scopes, creditCeiling }),
      actions: actions.map(({ key, ...one }) => ({ ...one, ...((key ?? unnamed) !== undefined && { idempotencyKey: key ?? unnamed }) })),
    }
  } finally {
    await transforms?.close()
  }
}

function findMapping({ config }: Command, name: string, headers: Record<string, string>, payload: Payload) {
  for (const warning of config.gateway.warnings) warn(warning)
  const mappings = readyMappings(config.gateway.hooks, warn)
  const owner: CompiledMapping | undefined = mappings.find(one => one.mayOwn(name) && one.owns({ headers, payload }))
  return { owner, mappings }
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConfigError([`${file}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

async function payloadIn(file: string, parse: () => Payload | Promise<Payload>): Promise<Payload> {
  try {
    return await parse()
  } catch (error) {
    throw new ConfigError([`${file}: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map(header => {
      const colon = header.indexOf(':')
      if (colon < 1) throw new ConfigError([`--header "${header}": must look like "Name: value"`])
      return [header.slice(0, colon).trim().toLowerCase(), header.slice(colon + 1).trim()]
    }),
  )
}

function opening({ auth }: Mapping): string {
  if (auth?.hmac) return `a signature (${auth.hmac.scheme}) in ${signatureHeaders(auth.hmac).join(' or ')}`
  return auth?.token ? 'its own token' : 'the hook token'
}

// JSON goes to standard output, warnings to standard error.
const warn = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

// The operator, unlike a sender, is shown why a transform failed.
const reasonOf = ({ cause }: AppError) => (cause instanceof Error ? { reason: cause.message } : {})
