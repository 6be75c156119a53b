// hooks test <name> --file payload.json: what a hook would make of a payload, without doing it.

import { readFileSync } from 'node:fs'
import { ConfigError } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Mapping } from '../gateway/mapping-settings.ts'
import { parsePayload } from '../hooks/body.ts'
import { mappedRequest, readyMappings } from '../hooks/mappings.ts'
import { agentPayload, wakePayload } from '../hooks/payloads.ts'
import { createTransforms } from '../hooks/transforms.ts'
import type { Command } from './command.ts'

export async function hooks({ config, words, options, print }: Command): Promise<void> {
  const [action, name] = words
  if (action !== 'test' || !name)
    throw new ConfigError(['hooks knows test <name> --file <payload.json> [--header "Name: value"] [--query a=1]'])
  const payload = parsed(options.file)
  print(JSON.stringify(await outcomeOf(name, payload), null, 2))

  async function outcomeOf(hook: string, payload: Record<string, unknown>): Promise<unknown> {
    try {
      if (hook === 'wake') return { status: 200, opensWith: 'the hook token', actions: [{ kind: 'wake', payload: wakePayload(payload) }] }
      if (hook === 'agent')
        return { status: 202, opensWith: 'the hook token', actions: [{ kind: 'agent', payload: agentPayload(payload) }] }
      return await mapped(hook, payload)
    } catch (error) {
      if (error instanceof AppError) return { status: 400, error: error.message, ...reasonOf(error) }
      throw error
    }
  }

  async function mapped(hook: string, payload: Record<string, unknown>): Promise<unknown> {
    const { hooks } = config.gateway
    for (const warning of config.gateway.warnings) warn(warning)
    const headers = headersOf(options.header ?? [])
    const mappings = readyMappings(hooks, warn)
    const candidates = mappings.filter(one => one.mayOwn(hook, headers))
    const owner = candidates.find(one => one.owns(payload))
    if (!owner)
      return {
        status: 404,
        error: candidates.length > 0 ? 'No mapping takes this payload' : 'No mapping takes this name with these headers',
        mappings: mappings.map(({ mapping }) => ({ id: mapping.id, match: mapping.match })),
      }

    const transforms = hooks.transformsDir === null ? null : createTransforms(hooks.transformsDir)
    try {
      const query = new URLSearchParams(options.query)
      const request = mappedRequest({ req: { headers }, base: hooks.path, name: hook, query, payload, now: new Date() })
      const actions = await owner.actions(request, transforms)
      const { id, scopes = hooks.scopes, creditCeiling = hooks.creditCeiling } = owner.mapping
      return {
        status: actions.length === 0 ? 204 : actions.some(({ kind }) => kind === 'agent') ? 202 : 200,
        mapping: id,
        opensWith: opening(owner.mapping),
        ...(actions.some(({ kind }) => kind === 'agent') && { scopes, creditCeiling }),
        actions: actions.map(({ key, ...one }) => ({ ...one, ...(key !== null && { idempotencyKey: key }) })),
      }
    } finally {
      await transforms?.close()
    }
  }
}

function parsed(file: string | undefined): Record<string, unknown> {
  if (file === undefined) throw new ConfigError(['hooks test wants --file <payload.json>'])
  try {
    return parsePayload(readFileSync(file))
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
  if (auth?.hmac) return `a signature (${auth.hmac.scheme}) in ${auth.hmac.header}`
  return auth?.token ? 'its own token' : 'the hook token'
}

// What is printed is JSON; warnings stand beside it.
const warn = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

// The operator, unlike a sender, may know why a transform failed.
const reasonOf = ({ cause }: AppError) => (cause instanceof Error ? { reason: cause.message } : {})
