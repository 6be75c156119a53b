// Reads the environment once at start and passes the parsed settings on as a value.

import { z } from 'zod'
import { addressesOf } from '../database/connections/address.ts'
import { type GatewaySettings, GatewaySettingsError, gatewaySettings, readGatewaySettings } from './gateway/file.ts'
import { settings } from './settings.ts'
import { splitList } from './values.ts'

type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['schema']> }

/** The parsed settings. `withSecrets` adds the secrets that may be generated. */
export interface Config extends Settings {
  SIGN_UP: NonNullable<Settings['SIGN_UP']>
  CREDITS_NEW_USER_GRANT: number
  isProduction: boolean
  isEmbedded: boolean
  /** The secrets that recipes insert with {{secrets.NAME}}. */
  recipeSecrets: Readonly<Record<string, string>>
  /** The gateway's configuration file, or its defaults. */
  gateway: GatewaySettings
}

/** Invalid settings, which prevent the start: one sentence each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Reads the environment. An empty or blank value counts as absent. Throws ConfigError with all problems. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => name in settings && value?.trim() !== ''))
  const schema = z.object(Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.schema])))
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(sentence))

  const values = parsed.data as Settings
  const isProduction = values.NODE_ENV === 'production'
  const isEmbedded = values.DATABASE_URL === undefined
  const config: Config = {
    ...values,
    SIGN_UP: values.SIGN_UP ?? (isEmbedded && !isProduction ? 'open' : 'closed'),
    CREDITS_NEW_USER_GRANT: values.CREDITS_NEW_USER_GRANT ?? (isProduction ? 0 : 1000),
    isProduction,
    isEmbedded,
    recipeSecrets: recipeSecretsIn(environment),
    gateway: readGateway(values.GATEWAY_CONFIG, environment),
  }
  const problems = contradictions(config)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Names the setting, and which value of a list. */
function sentence({ path: [name, index], message }: z.core.$ZodIssue): string {
  return `${String(name)}: ${typeof index === 'number' ? `value ${index + 1} ` : ''}${message}`
}

const recipeSecret = /^RECIPE_SECRET_([A-Z0-9_]+)$/

function recipeSecretsIn(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      const [, secret] = recipeSecret.exec(name) ?? []
      return secret && value?.trim() ? [[secret, value.trim()]] : []
    }),
  )
}

function readGateway(path: string | undefined, environment: Record<string, string | undefined>): GatewaySettings {
  try {
    return path === undefined ? gatewaySettings({}) : readGatewaySettings(path, environment)
  } catch (error) {
    throw error instanceof GatewaySettingsError ? new ConfigError(error.problems) : error
  }
}

/** The seconds between SIGTERM and refusing requests. Default: 5 in production, otherwise 0. */
export const drainSeconds = ({ DRAIN_SECONDS, isProduction }: Config): number => DRAIN_SECONDS ?? (isProduction ? 5 : 0)

/** Whether the gateway accepts hooks: decided by the environment, otherwise by its file. Default: only with the embedded database. */
export const takesHooks = ({ HOOKS_ENABLED, gateway, isEmbedded }: Config): boolean => HOOKS_ENABLED ?? gateway.hooks.enabled ?? isEmbedded

/** All hook tokens: the environment's (two, separated by a comma, during a rotation) and the file's. */
export const hookTokens = ({ HOOKS_TOKEN, gateway }: Config): string[] => [...splitList(HOOKS_TOKEN), ...gateway.hooks.tokens]

function passwordIn(url: string | undefined): string {
  if (!url) return ''
  const { password } = new URL(url)
  try {
    return decodeURIComponent(password)
  } catch {
    // A percent sign that does not encode a character is literal.
    return password
  }
}

/** Settings that contradict each other: one sentence per contradiction. */
export function contradictions(config: Config): string[] {
  const problems: string[] = []
  if (config.isProduction && config.ALLOW_USER_HEADER)
    problems.push('ALLOW_USER_HEADER: must not be switched on when NODE_ENV is production; anyone could name any user')
  if (config.IDENTITY_ISSUER && !config.IDENTITY_AUDIENCE) problems.push('IDENTITY_AUDIENCE: is required when IDENTITY_ISSUER is set')
  if (!config.IDENTITY_ISSUER && (config.IDENTITY_AUDIENCE || config.IDENTITY_JWKS_URL))
    problems.push('IDENTITY_ISSUER: is required when IDENTITY_AUDIENCE or IDENTITY_JWKS_URL is set')
  if (config.DATABASE_DIRECT_URL && !config.DATABASE_URL)
    problems.push('DATABASE_URL: is required when DATABASE_DIRECT_URL is set; both lead to the same database')
  if (config.DATABASE_READ_URLS && !config.DATABASE_URL)
    problems.push('DATABASE_URL: is required when DATABASE_READ_URLS is set; those are its standbys')
  if (config.SESSION_API_URL && !config.SVC_SERVICES_TOKEN)
    problems.push('SVC_SERVICES_TOKEN: is required when SESSION_API_URL is set; both servers must have the same')
  if (config.ENRICHMENT_LLM_URL && !config.ENRICHMENT_LLM_MODEL)
    problems.push('ENRICHMENT_LLM_MODEL: is required when ENRICHMENT_LLM_URL is set')
  if (Boolean(config.GOOGLE_CLIENT_ID) !== Boolean(config.GOOGLE_CLIENT_SECRET))
    problems.push('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET: set both or neither')
  if (Boolean(config.TWILIO_ACCOUNT_SID) !== Boolean(config.TWILIO_AUTH_TOKEN))
    problems.push('TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN: set both or neither')
  if (Boolean(config.VAPI_API_KEY) !== Boolean(config.VAPI_WEBHOOK_SECRET))
    problems.push('VAPI_API_KEY and VAPI_WEBHOOK_SECRET: set both or neither')
  if (config.VOICE_PROVIDER === 'twilio' && !config.TWILIO_ACCOUNT_SID)
    problems.push('VOICE_PROVIDER: twilio wants TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN')
  if (config.VOICE_PROVIDER === 'vapi' && !config.VAPI_API_KEY)
    problems.push('VOICE_PROVIDER: vapi wants VAPI_API_KEY and VAPI_WEBHOOK_SECRET')
  for (const token of config.SVC_SERVICES_TOKEN?.split(',') ?? [])
    if (token.trim().length < 16) problems.push('SVC_SERVICES_TOKEN: each value must have at least 16 characters')
  const others = [
    config.IDENTITY_SECRET,
    config.GOOGLE_CLIENT_SECRET,
    config.VOICE_SIGNING_SECRET,
    config.WEBHOOK_SIGNING_SECRET,
    config.VAPI_WEBHOOK_SECRET,
    config.TWILIO_AUTH_TOKEN,
    ...splitList(config.SVC_SERVICES_TOKEN),
    ...[config.DATABASE_URL, config.DATABASE_DIRECT_URL, ...(config.DATABASE_READ_URLS ?? [])]
      .flatMap(url => (url ? addressesOf(url) : []))
      .map(passwordIn),
    ...[config.REDIS_URL, config.SMTP_URL].map(passwordIn),
    ...config.gateway.secrets,
  ]
  if (splitList(config.HOOKS_TOKEN).some(token => others.includes(token))) problems.push('HOOKS_TOKEN: must differ from every other secret')
  if (config.gateway.hooks.tokens.some(token => others.includes(token)))
    problems.push('hooks.token in GATEWAY_CONFIG: must differ from every other secret')
  for (const token of splitList(config.HOOKS_TOKEN))
    if (token.length < 16) problems.push('HOOKS_TOKEN: each value must have at least 16 characters')
  return problems
}
