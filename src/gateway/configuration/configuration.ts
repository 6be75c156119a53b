// The gateway as it is configured, for its people: without credentials, and without what only the operator needs.

import { takesHooks } from '../../config/environment.ts'
import type { ChannelName } from '../../config/gateway/enums.ts'
import type { GatewaySettings } from '../../config/gateway/file.ts'
import type { Mapping } from '../../config/gateway/mappings.ts'
import { modelNamed, offlineModel } from '../../config/gateway/models.ts'
import { typeOf } from '../../config/gateway/shape.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { valueError } from '../../kernel/input/problem.ts'
import { gatewayOf } from '../organization.ts'
import type { HookTest, SamplePayload } from './hook-mappings.ts'

export interface ConfiguredChannel {
  channel: ChannelName
  defaultTo: string | null
  server: string | null
}

export interface Configuration extends GatewaySettings {
  takesHooks: boolean
  hookMappings: readonly Mapping[]
}

/** Throws FORBIDDEN in any organization but the gateway's. */
export async function getConfiguration(context: Context): Promise<Configuration> {
  await gatewayOf(context)
  const { config, hookMappings } = context.services
  return { ...config.gateway, takesHooks: takesHooks(config), hookMappings: hookMappings.mappings }
}

export function agentsOf({ agents, models }: Configuration) {
  const names = new Set([agents.default, ...Object.keys(agents.list)])
  return [...names].map(name => {
    const agent = Object.hasOwn(agents.list, name) ? agents.list[name] : undefined
    const model = agent?.model ?? models.default ?? offlineModel
    return {
      name,
      isDefault: name === agents.default,
      model: modelNamed({ ...models, allow: [] }, model).model ?? model,
      thinking: agent?.thinking ?? null,
      instructions: agent?.instructions ?? null,
    }
  })
}

export const providersOf = ({ models }: Configuration) =>
  Object.entries(models.providers).map(([name, provider]) => ({ name, type: typeOf(name, provider), server: serverOf(provider.baseUrl) }))

export const aliasesOf = ({ models }: Configuration) => Object.entries(models.aliases).map(([alias, model]) => ({ alias, model }))

export function channelsOf({ channels: { allowedLinkHosts: _, ...channels } }: Configuration): ConfiguredChannel[] {
  return Object.entries(channels).flatMap(([name, channel]) =>
    channel
      ? [
          {
            channel: name as ChannelName,
            defaultTo: channel.defaultTo ?? null,
            server: serverOf('baseUrl' in channel ? channel.baseUrl : channel.serviceUrl),
          },
        ]
      : [],
  )
}

// The origin alone: a path or query may hold a credential.
const serverOf = (address: string | undefined): string | null => (address === undefined ? null : new URL(address).origin)

// Senders may be recognized by a secret in a header.
const mayBeSecret = /authorization|cookie|token|secret|key|password|signature/i

export const headersOf = ({ match }: Mapping) =>
  Object.entries(match.headers ?? {}).map(([name, values]) => ({
    name,
    values: mayBeSecret.test(name) ? ['[redacted]'] : [values].flat(),
  }))

export const conditionsOf = ({ match }: Mapping) =>
  Object.entries(match.where ?? {}).map(([path, values]) => ({
    path,
    values: mayBeSecret.test(path) ? ['[redacted]'] : Array.isArray(values) ? values : [values],
  }))

export interface HookSample {
  name: string
  payload?: unknown
  headers?: readonly { name: string; value: string }[] | null
  query?: readonly { name: string; value: string }[] | null
}

/** Tries the payload with the hooks. A mapping's transform runs, and nothing is queued. Throws INVALID for a payload that is neither object nor list. */
export async function testHook(context: Context, { name, payload, headers, query }: HookSample): Promise<HookTest> {
  await gatewayOf(context)
  if (payload == null || typeof payload !== 'object') throw invalid(valueError('payload', 'it must be an object or a list', null))
  const byName = (given: HookSample['headers']) => Object.fromEntries((given ?? []).map(({ name, value }) => [name, value]))
  return context.services.hookMappings.test({
    name,
    payload: payload as SamplePayload['payload'],
    headers: byName(headers),
    query: byName(query),
  })
}
