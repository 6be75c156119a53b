// The gateway's configuration file (JSON5): its schema, its secrets, and everything that is wrong with it, in sentences.

import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import JSON5 from 'json5'
import { z } from 'zod'
import { scopes } from '../identity/principal.ts'
import { amountCeiling, isAmount } from '../money.ts'
import { type Mapping, type Preset, presetNames, readMapping } from './mapping-settings.ts'
import { namedModel, offlineModel } from './models.ts'
import { channelNames, text, thinkingLevels, timeoutSeconds } from './words.ts'

const url = z.url({ protocol: /^https?$/ }).transform(value => value.replace(/\/+$/, ''))
const secret = z.string().min(1)
const token = z.string().min(16, 'must have at least 16 characters')
const grants = {
  /** What the runs may do with the platform. Reading only, unless more is granted: what starts them comes from outside. */
  scopes: z.array(z.enum([...scopes, '*'])),
  /** Credits that one run may cost at most, together with what its tools reserve. */
  creditCeiling: z.number().min(0).max(1_000_000_000),
}
const price = z.number().min(0).lt(amountCeiling).refine(isAmount, 'must have at most 6 decimals').default(0)
const reading = scopes.filter(scope => scope.endsWith(':read'))

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
  /** Secrets the senders of presets sign with. */
  presetSecrets: z.strictObject({ github: secret, stripe: secret }).partial().default({}),
  /** Each is checked on its own: a bad one is disabled, the others serve. */
  mappings: z.array(z.unknown()).default([]),
  transformsDir: text.optional(),
  allowQueryToken: z.boolean().default(true),
  allowedSessionKeyPrefixes: z.array(text).min(1).optional(),
  scopes: grants.scopes.default(reading),
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
const channels = z
  .strictObject({
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

const schema = z.strictObject({
  gateway: z.strictObject({ organizationId: z.uuid().optional() }).prefault({}),
  hooks: hooks.prefault({}),
  agents: z
    .strictObject({
      maxConcurrent: z.number().int().min(1).max(256).default(4),
      timeoutSeconds: timeoutSeconds.default(600),
      maxSteps: z.number().int().min(1).max(100).default(10),
      /** Earlier turns given to the model with a new one, in characters. */
      historyCharacters: z.number().int().min(0).max(2_000_000).default(60_000),
      /** Credits that a run costs its owner: one that was completed, and the tokens of every one. */
      pricePerRun: price,
      pricePerThousandTokens: price,
      default: text.default('main'),
      list: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/), agent).default({}),
    })
    .prefault({}),
  models: z
    .strictObject({
      default: text.optional(),
      allow: z.array(text).default([]),
      aliases: z.record(z.string().regex(/^[^/\s]{1,100}$/, 'must be a name without a slash'), text).default({}),
      providers: z.record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/), provider).default({}),
    })
    .prefault({}),
  heartbeat: z
    .strictObject({
      /** 0 switches the periodic ones off; wakes still cause theirs. */
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

type File = z.output<typeof schema>

/** What the file says, every default filled in. */
export interface GatewaySettings extends Omit<File, 'hooks'> {
  hooks: Omit<File['hooks'], 'mappings' | 'token' | 'transformsDir'> & {
    tokens: readonly string[]
    /** The mappings that can serve, in order. */
    mappings: readonly Mapping[]
    transformsDir: string | null
  }
  /** Mappings that were disabled, and why. */
  warnings: readonly string[]
  /** Every secret of the file, so that the hook token can be compared with them. */
  secrets: readonly string[]
}
export type Provider = z.output<typeof provider>
export type ChannelSettings = z.output<typeof channels>
export type PresetName = Preset

/** What stops the start, one sentence each. */
export class GatewaySettingsError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export type Environment = Record<string, string | undefined>

/** Reads the file. Throws GatewaySettingsError with every problem. */
export function readGatewaySettings(path: string, environment: Environment): GatewaySettings {
  let parsed: unknown
  try {
    parsed = JSON5.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new GatewaySettingsError([`${path}: cannot be read as JSON5: ${error instanceof Error ? error.message : String(error)}`])
  }
  return gatewaySettings(parsed, { environment, folder: dirname(resolve(path)), name: path })
}

export interface Surroundings {
  environment?: Environment
  /** What relative paths start from. */
  folder?: string
  /** The file, as problems name it. */
  name?: string
}

/** The settings that a parsed file stands for; of `{}`, the defaults. Throws GatewaySettingsError with every problem. */
export function gatewaySettings(
  file: unknown,
  { environment = {}, folder = process.cwd(), name = 'gateway' }: Surroundings = {},
): GatewaySettings {
  const problems: string[] = []
  const resolved = withValues(file, { environment, folder, problems, path: [] })
  const parsed = schema.safeParse(resolved)
  if (!parsed.success) problems.push(...parsed.error.issues.map(sentence))
  if (!parsed.success || problems.length > 0) throw new GatewaySettingsError(problems.map(problem => `${name}: ${problem}`))

  const { hooks: given, ...rest } = parsed.data
  const { mappings: raw, token, transformsDir, ...others } = given
  const warnings: string[] = []
  const mappings = raw.flatMap((one, index) => {
    const { id, mapping, problems } = readMapping(one, index)
    if (mapping) problems.push(...unhonoured(mapping, parsed.data))
    if (mapping && problems.length === 0) return [mapping]
    warnings.push(`${name}: hooks.mappings[${index}] (${id}) is disabled: ${problems.join('; ')}`)
    return []
  })
  const settings: GatewaySettings = {
    ...rest,
    hooks: {
      ...others,
      tokens: token === undefined ? [] : typeof token === 'string' ? [token] : token,
      mappings,
      transformsDir: transformsDir === undefined ? null : isAbsolute(transformsDir) ? transformsDir : resolve(folder, transformsDir),
    },
    warnings,
    secrets: secretsIn(parsed.data),
  }
  const wrong = contradictions(parsed.data)
  if (wrong.length > 0) throw new GatewaySettingsError(wrong.map(problem => `${name}: ${problem}`))
  return settings
}

const taken = /^\/(graphql|api|idp|docs|healthz|readyz|metrics)(\/|$)/

// What no single setting can see.
function contradictions({ models, agents, heartbeat, hooks }: File): string[] {
  const problems: string[] = []
  for (const [name, provider] of Object.entries(models.providers)) {
    if (name === 'offline') problems.push('models.providers.offline: is the built-in model; another provider needs another name')
    if (typeOf(name, provider) === 'openai-compatible' && !provider.baseUrl)
      problems.push(`models.providers.${name}.baseUrl: is required for a provider of the type openai-compatible`)
  }
  const named: [string, string | undefined][] = [
    ['models.default', models.default ?? offlineModel],
    ['heartbeat.model', heartbeat.model],
    ...Object.entries(agents.list).map(([id, { model }]): [string, string | undefined] => [`agents.list.${id}.model`, model]),
    ...Object.keys(models.aliases).map((alias): [string, string] => [`models.aliases.${alias}`, alias]),
  ]
  for (const [where, name] of named) {
    // An alias outside the list may stand there; it just cannot be used.
    const allow = where.startsWith('models.aliases') ? [] : models.allow
    const problem = name === undefined ? undefined : namedModel({ ...models, allow }, name).problem
    if (problem) problems.push(`${where}: ${problem}`)
  }
  if (agents.default !== 'main' && !Object.hasOwn(agents.list, agents.default))
    problems.push(`agents.default: "${agents.default}" is not in agents.list`)
  if (heartbeat.to !== undefined && !heartbeat.deliver) problems.push('heartbeat.to: means nothing when heartbeat.deliver is false')
  if (taken.test(hooks.path)) problems.push(`hooks.path: "${hooks.path}" is served by another part of the server`)
  for (const [name, ceiling] of [
    ['hooks.creditCeiling', hooks.creditCeiling],
    ['heartbeat.creditCeiling', heartbeat.creditCeiling],
  ] as const) {
    const problem = ceiling === undefined ? null : tooLow(ceiling, agents)
    if (problem !== null) problems.push(`${name}: ${problem}`)
  }
  if (hooks.enabled === false && hooks.mappings.length > 0) problems.push('hooks.mappings: mean nothing when hooks.enabled is false')
  return problems
}

// A ceiling below what every run costs would have every run fail.
function tooLow(ceiling: number, { pricePerRun, pricePerThousandTokens }: File['agents']): string | null {
  if (ceiling < pricePerRun) return `must be at least ${pricePerRun}, which is what a run costs (agents.pricePerRun)`
  if (pricePerThousandTokens > 0 && ceiling <= pricePerRun)
    return `must be more than ${pricePerRun}, since tokens cost as well (agents.pricePerThousandTokens)`
  return null
}

// What a mapping names must exist; a template is only known when a request comes.
function unhonoured({ model, agentId, transform, creditCeiling }: Mapping, { models, agents, hooks }: File): string[] {
  const problems: string[] = []
  const short = creditCeiling === undefined ? null : tooLow(creditCeiling, agents)
  if (short !== null) problems.push(`creditCeiling: ${short}`)
  const problem = model === undefined || model.includes('{{') ? undefined : namedModel(models, model).problem
  if (problem) problems.push(`model: ${problem}`)
  if (agentId !== undefined && agentId !== 'main' && !Object.hasOwn(agents.list, agentId))
    problems.push(`agentId: "${agentId}" is not in agents.list`)
  if (transform && hooks.transformsDir === undefined) problems.push('transform: hooks.transformsDir is not set')
  return problems
}

/** A provider's protocol: said, or known by its name. */
export const typeOf = (name: string, { type }: Provider): NonNullable<Provider['type']> =>
  type ?? (name === 'anthropic' || name === 'openai' ? name : 'openai-compatible')

interface Reading {
  environment: Environment
  folder: string
  problems: string[]
  path: readonly string[]
}

const variable = /\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}/g

// `${NAME}` becomes the variable's value and {file: "path"} the file's text; `$${NAME}` stays as `${NAME}`.
function withValues(value: unknown, reading: Reading): unknown {
  const { environment, folder, problems, path } = reading
  if (typeof value === 'string')
    return value.replace(variable, (whole, escaped: string, name: string) => {
      if (escaped) return whole.slice(1)
      const found = environment[name]
      if (found === undefined || found === '') problems.push(`${path.join('.')}: the environment variable ${name} is not set`)
      return found ?? ''
    })
  if (Array.isArray(value)) return value.map((item, index) => withValues(item, { ...reading, path: [...path, String(index)] }))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === 'file' && typeof first[1] === 'string')
    try {
      return readFileSync(resolve(folder, first[1]), 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      problems.push(`${path.join('.')}: ${error instanceof Error ? error.message : 'the file cannot be read'}`)
      return ''
    }
  return Object.fromEntries(entries.map(([name, item]) => [name, withValues(item, { ...reading, path: [...path, name] })]))
}

function secretsIn({ hooks, models, channels }: File): string[] {
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

/** A problem of zod as a sentence: where, and what was expected. */
export function sentence({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  const where = path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`)).join('')
  if (code === 'unrecognized_keys') {
    const { keys } = issue as { keys: string[] }
    return `${where || 'the file'}: unknown setting ${keys.map(key => `"${key}"`).join(', ')}`
  }
  return `${where || 'the file'}: ${message}`
}
