// The gateway's configuration file (JSON5): read, completed with defaults and validated.

import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import JSON5 from 'json5'
import type { z } from 'zod'
import { isNewer, release } from '../release.ts'
import { type Mapping, readMapping, signingKey } from './mappings.ts'
import { modelNamed, offlineModel } from './models.ts'
import { type File, schema, secretsIn, typeOf } from './shape.ts'
import { type Environment, withValues } from './values.ts'

/** The settings of the file, with all defaults. */
export interface GatewaySettings extends Omit<File, 'hooks'> {
  hooks: Omit<File['hooks'], 'mappings' | 'token' | 'transformsDir'> & {
    tokens: readonly string[]
    /** The valid mappings, in order of evaluation. */
    mappings: readonly Mapping[]
    transformsDir: string | null
  }
  /** Invalid mappings, which are disabled, with the reasons. */
  warnings: readonly string[]
  /** All secrets of the file: the hook token must differ from them. */
  secrets: readonly string[]
}

/** Problems that prevent the start, each a sentence. */
export class GatewaySettingsError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads the file. Throws GatewaySettingsError with every problem. */
export function readGatewaySettings(path: string, environment: Environment): GatewaySettings {
  let parsed: unknown
  try {
    parsed = JSON5.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new GatewaySettingsError([
      code === undefined
        ? `${path}: cannot be read as JSON5: ${message}`
        : `GATEWAY_CONFIG: ${path} cannot be read (${unreadable[code] ?? code})`,
    ])
  }
  return gatewaySettings(parsed, { environment, folder: dirname(resolve(path)), name: path })
}

const unreadable: Record<string, string> = { ENOENT: 'there is no such file', EACCES: 'its permissions', EISDIR: 'it is a folder' }

export interface Surroundings {
  environment?: Environment
  /** The folder that relative paths are resolved against. */
  folder?: string
  /** The name of the file in problems. */
  name?: string
}

/** The settings of a parsed file; of `{}`, the defaults. Throws GatewaySettingsError with every problem. */
export function gatewaySettings(
  file: unknown,
  { environment = {}, folder = process.cwd(), name = 'gateway' }: Surroundings = {},
): GatewaySettings {
  const problems: string[] = []
  const warnings: string[] = []
  const resolved = withValues(file, { environment, folder, problems, path: [] })
  const { known, ignored } = isOfNewerRelease(resolved) ? withoutUnknown(resolved) : { known: resolved, ignored: [] }
  warnings.push(...ignored.map(problem => `${name}: ${problem} is ignored: the file is of a newer release than this one (${release})`))
  const parsed = schema.safeParse(known)
  if (!parsed.success) problems.push(...parsed.error.issues.map(sentence))
  if (!parsed.success || problems.length > 0) throw new GatewaySettingsError(problems.map(problem => `${name}: ${problem}`))

  const { hooks: given, ...rest } = parsed.data
  const { mappings: raw, token, transformsDir, ...others } = given
  const keyless: string[] = []
  const mappings = raw.flatMap((one, index) => {
    const { id, mapping, problems } = readMapping(one, index)
    if (mapping) problems.push(...missingNames(mapping, parsed.data))
    // With an empty key anyone could sign.
    const hmac = mapping?.auth?.hmac
    if (hmac && signingKey(hmac.scheme, hmac.secret).length === 0)
      keyless.push(
        `hooks.mappings[${index}].auth.hmac.secret: decodes to no bytes; what follows whsec_ is base64, as of openssl rand -base64 24`,
      )
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
  const wrong = [...keyless, ...contradictions(parsed.data)]
  if (wrong.length > 0) throw new GatewaySettingsError(wrong.map(problem => `${name}: ${problem}`))
  return settings
}

const taken = /^\/(graphql|api|idp|docs|healthz|readyz|metrics)(\/|$)/

// Problems between several settings.
function contradictions({ models, agents, heartbeat, hooks }: File): string[] {
  const problems: string[] = []
  for (const [name, provider] of Object.entries(models.providers)) {
    if (name === 'offline') problems.push('models.providers.offline: is the built-in model; another provider needs another name')
    if (typeOf(name, provider) === 'openai-compatible' && !provider.baseUrl)
      problems.push(`models.providers.${name}.baseUrl: is required for a provider of the type openai-compatible`)
  }
  const named: [string, string | undefined][] = [
    ['models.default', models.default ?? offlineModel],
    ...models.voice.map((name): [string, string] => ['models.voice', name]),
    ['heartbeat.model', heartbeat.model],
    ...Object.entries(agents.list).map(([id, { model }]): [string, string | undefined] => [`agents.list.${id}.model`, model]),
    ...Object.keys(models.aliases).map((alias): [string, string] => [`models.aliases.${alias}`, alias]),
  ]
  for (const [where, name] of named) {
    // An alias of a forbidden model is accepted here, and refused when it is used.
    const allow = where.startsWith('models.aliases') ? [] : models.allow
    const problem = name === undefined ? undefined : modelNamed({ ...models, allow }, name).problem
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

// With a ceiling below the price of a run, every run would fail.
function tooLow(ceiling: number, { pricePerRun, pricePerThousandTokens }: File['agents']): string | null {
  if (ceiling < pricePerRun) return `must be at least ${pricePerRun}, which is what a run costs (agents.pricePerRun)`
  if (pricePerThousandTokens > 0 && ceiling <= pricePerRun)
    return `must be more than ${pricePerRun}, since tokens cost as well (agents.pricePerThousandTokens)`
  return null
}

// The channel, agent and model of a mapping must exist. Templates are checked when a request arrives.
function missingNames({ model, agentId, transform, creditCeiling }: Mapping, { models, agents, hooks }: File): string[] {
  const problems: string[] = []
  const short = creditCeiling === undefined ? null : tooLow(creditCeiling, agents)
  if (short !== null) problems.push(`creditCeiling: ${short}`)
  const problem = model === undefined || model.includes('{{') ? undefined : modelNamed(models, model).problem
  if (problem) problems.push(`model: ${problem}`)
  if (agentId !== undefined && agentId !== 'main' && !Object.hasOwn(agents.list, agentId))
    problems.push(`agentId: "${agentId}" is not in agents.list`)
  if (transform && hooks.transformsDir === undefined) problems.push('transform: hooks.transformsDir is not set')
  return problems
}

// During a rolling deployment, processes of the older release read the newer one's file. Unknown settings are ignored only if the file
// names a newer release; otherwise they are spelling mistakes.
function isOfNewerRelease(file: unknown): boolean {
  const { version } = (file ?? {}) as { version?: unknown }
  return typeof version === 'string' && isNewer(version)
}

function withoutUnknown(file: unknown): { known: unknown; ignored: string[] } {
  const unknown = schema.safeParse(file).error?.issues.filter(issue => issue.code === 'unrecognized_keys') ?? []
  const known = structuredClone(file)
  for (const { path, keys } of unknown) {
    const holder = path.reduce<unknown>((value, step) => (value as Record<PropertyKey, unknown>)[step], known)
    for (const key of keys) delete (holder as Record<string, unknown>)[key]
  }
  return { known, ignored: unknown.map(sentence) }
}

/** An issue of zod as a sentence: the setting, and the expected value. */
function sentence({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  const where = path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`)).join('')
  if (code === 'unrecognized_keys') {
    const { keys } = issue as { keys: string[] }
    return `${where || 'the file'}: unknown setting ${keys.map(key => `"${key}"`).join(', ')}`
  }
  return `${where || 'the file'}: ${message}`
}
