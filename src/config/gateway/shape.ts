// The schema of the gateway's configuration file, with its defaults and its secrets.

import { z } from 'zod'
import { amountCeiling, isAmount } from '../../kernel/money.ts'
import { scopes } from '../../kernel/principal.ts'
import { withoutEndSlash } from '../values.ts'
import { channelNames, text, thinkingLevels, timeoutSeconds } from './enums.ts'
import { presetNames } from './mappings.ts'

const url = z.url({ protocol: /^https?$/ }).transform(withoutEndSlash)
const secret = z.string().min(1)
const token = z.string().min(16, 'must have at least 16 characters')
const grants = {
  /** The scopes of runs. None by default, because runs are started by outside requests. */
  scopes: z.array(z.enum([...scopes, '*'])),
  /** The maximum cost of one run in credits, including the reservations of its tools. */
  creditCeiling: z.number().min(0).max(1_000_000_000),
}
const price = z.number().min(0).lt(amountCeiling).refine(isAmount, 'must have at most 6 decimals').default(0)

const hooks = z.strictObject({
  enabled: z.boolean().optional(),
  token: z.union([token, z.array(token).min(1).max(2)]).optional(),
  path: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)+$/, 'must look like /hooks')
    .default('/hooks'),
  maxBodyBytes: z
    .number()
    .int()
    .min(1024)
    .max(16 * 1024 * 1024)
    .default(256 * 1024),
  presets: z.array(z.enum(presetNames)).default([]),
  /** The signing secrets of presets. */
  presetSecrets: z.strictObject({ github: secret, stripe: secret }).partial().default({}),
  /** Each mapping is validated separately, so that an invalid one disables only itself. */
  mappings: z.array(z.unknown()).default([]),
  transformsDir: text.optional(),
  allowQueryToken: z.boolean().default(true),
  allowedSessionKeyPrefixes: z.array(text).min(1).optional(),
  scopes: grants.scopes.default([]),
  creditCeiling: grants.creditCeiling.default(0),
})

const agent = z.strictObject({
  model: text.optional(),
  thinking: z.enum(thinkingLevels).optional(),
  instructions: text.optional(),
})

const provider = z.strictObject({
  type: z.enum(['anthropic', 'openai', 'openai-compatible']).optional(),
  apiKey: secret.optional(),
  baseUrl: url.optional(),
  headers: z.record(z.string(), z.string()).optional(),
})

const to = { defaultTo: text.optional() }
const host = text.toLowerCase().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a host like example.com, or *.example.com')
const channels = z
  .strictObject({
    /** Hosts to which links are kept in replies to untrusted input. */
    allowedLinkHosts: z.array(host),
    whatsapp: z.strictObject({
      accessToken: secret,
      phoneNumberId: text,
      apiVersion: z
        .string()
        .regex(/^v\d+\.\d+$/)
        .default('v23.0'),
      baseUrl: url.default('https://graph.facebook.com'),
      ...to,
    }),
    telegram: z.strictObject({ botToken: secret, baseUrl: url.default('https://api.telegram.org'), ...to }),
    discord: z.strictObject({ botToken: secret, baseUrl: url.default('https://discord.com'), ...to }),
    slack: z.strictObject({ botToken: secret, baseUrl: url.default('https://slack.com'), ...to }),
    mattermost: z.strictObject({ token: secret, baseUrl: url, ...to }),
    signal: z.strictObject({ number: text, baseUrl: url, token: secret.optional(), ...to }),
    imessage: z.strictObject({
      password: secret,
      baseUrl: url,
      method: z.enum(['apple-script', 'private-api']).default('apple-script'),
      ...to,
    }),
    msteams: z.strictObject({
      tenantId: text,
      appId: text,
      appPassword: secret,
      serviceUrl: url.default('https://smba.trafficmanager.net/teams'),
      loginUrl: url.default('https://login.microsoftonline.com'),
      ...to,
    }),
  })
  .partial()

const defaultPrompt =
  'This is a heartbeat. Look at the system events below, if there are any, and do what they ask for within your instructions. ' +
  'If nothing needs the attention of a person, answer HEARTBEAT_OK and nothing else; otherwise answer with what they should know.'

/** The whole file. */
export const schema = z.strictObject({
  /** The release that the file is for. Older releases ignore settings that they do not know. */
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, 'must look like 1.2.3')
    .optional(),
  gateway: z.strictObject({ organizationId: z.uuid().optional() }).prefault({}),
  hooks: hooks.prefault({}),
  agents: z
    .strictObject({
      maxConcurrent: z.number().int().min(1).max(256).default(4),
      timeoutSeconds: timeoutSeconds.default(600),
      maxSteps: z.number().int().min(1).max(100).default(10),
      /** After its workers have died this many times, a run fails. */
      maxAttempts: z.number().int().min(1).max(1000).default(3),
      /** The maximum length of the history that a model gets, in bytes. */
      historyCharacters: z.number().int().min(0).max(2_000_000).default(60_000),
      /** The price in credits of a completed run, and of a thousand tokens of any run. */
      pricePerRun: price,
      pricePerThousandTokens: price,
      default: text.default('main'),
      list: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/), agent).default({}),
    })
    .prefault({}),
  models: z
    .strictObject({
      default: text.optional(),
      /** The models that speak for voice agents, asked in this order. Default: the default model. Without one, voice agents interview. */
      voice: z.array(text).max(5).default([]),
      allow: z.array(text).default([]),
      aliases: z.record(z.string().regex(/^[^/\s]{1,100}$/, 'must be a name without a slash'), text).default({}),
      providers: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/), provider).default({}),
    })
    .prefault({}),
  heartbeat: z
    .strictObject({
      /** 0 disables periodic heartbeats; wakes still cause heartbeats. */
      everyMinutes: z.number().min(0).max(10_080).default(30),
      prompt: text.default(defaultPrompt),
      model: text.optional(),
      thinking: z.enum(thinkingLevels).optional(),
      deliver: z.boolean().default(true),
      channel: z.enum(['last', ...channelNames]).default('last'),
      to: text.optional(),
      scopes: grants.scopes.optional(),
      creditCeiling: grants.creditCeiling.optional(),
    })
    .prefault({}),
  channels: channels.prefault({}),
  lastChannelFallback: z.enum(channelNames).default('whatsapp'),
  retention: z
    .strictObject({
      sessionDays: z.number().min(1).max(36_500).default(30),
      eventDays: z.number().min(1).max(36_500).default(30),
    })
    .prefault({}),
})

export type File = z.output<typeof schema>
export type Provider = z.output<typeof provider>
export type ChannelSettings = z.output<typeof channels>

/** The protocol of a provider: the configured one, otherwise derived from its name. */
export const typeOf = (name: string, { type }: Provider): NonNullable<Provider['type']> =>
  type ?? (name === 'anthropic' || name === 'openai' ? name : 'openai-compatible')

/** All secrets of the file, also of invalid mappings. */
export function secretsIn({ hooks, models, channels }: File): string[] {
  const found: (string | undefined)[] = [
    ...Object.values(hooks.presetSecrets),
    ...Object.values(models.providers).map(({ apiKey }) => apiKey),
    channels.whatsapp?.accessToken,
    channels.telegram?.botToken,
    channels.discord?.botToken,
    channels.slack?.botToken,
    channels.mattermost?.token,
    channels.signal?.token,
    channels.imessage?.password,
    channels.msteams?.appPassword,
  ]
  for (const one of hooks.mappings) {
    const auth = (one as { auth?: { token?: unknown; hmac?: { secret?: unknown } } } | null)?.auth
    for (const value of [auth?.token, auth?.hmac?.secret]) if (typeof value === 'string') found.push(value)
  }
  return found.filter(value => value !== undefined)
}
