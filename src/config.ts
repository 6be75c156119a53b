// The settings: one schema of the environment, read once at start, passed down as a value.

import { isIP } from 'node:net'
import { z } from 'zod'
import { addressesOf } from './database/address.ts'
import { type GatewaySettings, GatewaySettingsError, gatewaySettings, readGatewaySettings } from './gateway/settings.ts'
import { amountCeiling, isAmount } from './money.ts'
import { isSubnet } from './outgoing.ts'

export const roles = ['web', 'api', 'session', 'gateway', 'worker'] as const
export type Role = (typeof roles)[number]

const text = z.string().trim().min(1)
const flag = z.enum(['0', '1', 'true', 'false']).transform(value => value === '1' || value === 'true')
const count = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule)
}
const port = count(0, 65_535)
const url = z.url({ protocol: /^https?$/ })
const databaseUrl = text.superRefine((value, context) => {
  try {
    addressesOf(value)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
  }
})
// What Express takes: hops, or addresses, subnets and its names for some of them.
const proxies = text.refine(
  value => /^\d+$/.test(value) || value.split(',').every(part => isProxy(part.trim())),
  'must be a number of hops, or addresses and subnets separated by commas',
)
function isProxy(part: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(part)) return true
  const [address = '', bits] = part.split('/')
  const version = isIP(address)
  return (
    version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)))
  )
}
const credits = z.coerce.number().min(0).lt(amountCeiling).refine(isAmount, 'must have at most 6 decimals')
const secret = z.string().min(16, 'must have at least 16 characters')

/** Every setting: its schema, and for people its meaning, unit and default. `.env.example` and `--help` are printed from here. */
export const settings = {
  PORT: { schema: port.default(4000), meaning: 'Port to listen on; 0 takes a free one.', default: '4000' },
  HOST: { schema: text.default('127.0.0.1'), meaning: 'Address to listen on.', default: '127.0.0.1' },
  NODE_ENV: {
    schema: z.enum(['development', 'test', 'production']).default('development'),
    meaning: 'development, test or production. Production requires every secret and hides introspection from anonymous callers.',
    default: 'development',
  },
  PUBLIC_URL: { schema: url.optional(), meaning: 'Address users reach this server at, used in links.', default: 'http://HOST:PORT' },
  DATA_DIR: { schema: text.default('.data'), meaning: 'Folder of the embedded database and of generated secrets.', default: '.data' },
  DATABASE_URL: {
    schema: databaseUrl.optional(),
    meaning:
      'PostgreSQL 15 or newer, as postgresql://user:password@host:port/database; of several hosts, as host1:port,host2:port, the one that is the primary. Absent: the embedded PostgreSQL.',
    default: '',
  },
  DATABASE_DIRECT_URL: {
    schema: databaseUrl.optional(),
    meaning:
      'The same database past the pooler (PgBouncer) that DATABASE_URL leads to: for LISTEN, which revocations and live updates are heard by, and for migrations.',
    default: '',
  },
  DATABASE_POOL_SIZE: {
    schema: count(2, 200).default(16),
    meaning: 'Connections of this process to PostgreSQL; short reads share a quarter of them.',
    default: '16',
  },
  REDIS_URL: {
    schema: z.url({ protocol: /^rediss?$/ }).optional(),
    meaning: 'Redis for rate limits shared by several processes. Absent: each process counts alone.',
    default: '',
  },
  ROLES: {
    schema: z
      .string()
      .default(roles.join(','))
      .transform(value => value.split(',').map(role => role.trim()))
      .pipe(z.array(z.enum(roles)).min(1)),
    meaning: 'Parts this process plays, separated by commas: web, api, session, gateway, worker.',
    default: roles.join(','),
  },
  DRAIN_SECONDS: {
    schema: count(0, 300).optional(),
    meaning:
      'Seconds after SIGTERM for which everything is served as before while /readyz answers 503, so that a balancer sends its requests elsewhere before connections are closed. Default: 5 in production, else 0.',
    default: '',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    meaning: 'fatal, error, warn, info, debug, trace or silent.',
    default: 'info',
  },
  METRICS_TOKEN: {
    schema: secret.optional(),
    meaning: 'Secret that /metrics is read with, as Authorization: Bearer. In production nobody reads them without.',
    default: '',
  },
  FRONTEND_ORIGIN: { schema: url.optional(), meaning: 'The only foreign origin browsers may call from (CORS).', default: '' },
  TRUST_PROXY: {
    schema: proxies.optional(),
    meaning: 'Proxies whose X-Forwarded-* headers are believed: a number of hops, or addresses and subnets separated by commas.',
    default: '',
  },
  RATE_LIMIT: { schema: flag.default(true), meaning: '0 switches rate limits off.', default: '1' },
  RATE_LIMIT_READS: { schema: count(1, 10_000_000).default(6000), meaning: 'Reads per credential and minute.', default: '6000' },
  RATE_LIMIT_WRITES: {
    schema: count(1, 10_000_000).default(3000),
    meaning: 'Writes per credential and minute; a batch is as many as it has rows.',
    default: '3000',
  },
  RATE_LIMIT_ORGANIZATION_READS: {
    schema: count(1, 100_000_000).default(30_000),
    meaning: 'Reads per organization and minute, of all its members and keys.',
    default: '30000',
  },
  RATE_LIMIT_ORGANIZATION_WRITES: {
    schema: count(1, 100_000_000).default(15_000),
    meaning: 'Writes per organization and minute, of all its members and keys.',
    default: '15000',
  },
  STREAMS_PER_ORGANIZATION: {
    schema: count(1, 1_000_000).default(1000),
    meaning:
      'Subscriptions that an organization has open at once in a process, and that all guests have together; one credential has 100 at most.',
    default: '1000',
  },
  RATE_LIMIT_SERVICE: {
    schema: count(0, 10_000_000).default(0),
    meaning: 'Reads, and writes, per minute of everything that comes with the service token; 0: trusted backends are not limited.',
    default: '0',
  },
  SVC_SERVICES_TOKEN: {
    schema: secret.optional(),
    meaning: 'Secret shared by backends; two values separated by a comma while rotating. At least 16 characters each.',
    default: 'generated',
  },
  SIGN_UP: {
    schema: z.enum(['open', 'invited', 'closed']).optional(),
    meaning:
      'Who may become a user: open (anybody), invited (with a one-use address of an owner or of the operator), closed (with one of the operator, npm run claim). Default: open with the embedded database outside production, else closed.',
    default: '',
  },
  SIGN_UPS_PER_HOUR: {
    schema: count(1, 1_000_000).default(60),
    meaning: 'New users per address and hour, in each process.',
    default: '60',
  },
  ORGANIZATIONS_PER_USER: {
    schema: count(1, 100_000).default(5),
    meaning: 'Organizations that one user may make, the one of the sign-up included.',
    default: '5',
  },
  IDENTITY_ISSUER: {
    schema: url.optional(),
    meaning: 'Issuer (iss) of an outside identity provider. Absent: the embedded one at /idp.',
    default: '',
  },
  IDENTITY_AUDIENCE: {
    schema: text.optional(),
    meaning: 'Audience (aud) its tokens must carry. Required with IDENTITY_ISSUER.',
    default: '',
  },
  IDENTITY_JWKS_URL: {
    schema: url.optional(),
    meaning: "Address of its signing keys. Default: the issuer's /.well-known/jwks.json.",
    default: '',
  },
  IDENTITY_SECRET: {
    schema: secret.optional(),
    meaning: 'Secret of the embedded identity provider; encrypts its signing keys, so it must stay the same.',
    default: 'generated',
  },
  GOOGLE_CLIENT_ID: { schema: text.optional(), meaning: 'Switches Google sign-in on, with GOOGLE_CLIENT_SECRET.', default: '' },
  GOOGLE_CLIENT_SECRET: { schema: text.optional(), meaning: 'Secret of the Google client.', default: '' },
  SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/ }).optional(),
    meaning: 'Mail server for magic links. Absent: links are printed in the log.',
    default: '',
  },
  MAIL_LINKS: {
    schema: flag.default(true),
    meaning:
      '0 switches off every link by e-mail: signing in, verifying an address, choosing a new password. Production needs SMTP_URL for them.',
    default: '1',
  },
  MAIL_FROM: {
    schema: text.default('Rolocom <no-reply@localhost>'),
    meaning: 'Sender of e-mails.',
    default: 'Rolocom <no-reply@localhost>',
  },
  ALLOW_USER_HEADER: {
    schema: flag.default(false),
    meaning: '1 accepts X-User-ID as a credential. Development and test only; production refuses to start with it.',
    default: '0',
  },
  HOOKS_ENABLED: { schema: flag.optional(), meaning: '1 serves the gateway hooks. Default: on with the embedded database.', default: '' },
  HOOKS_TOKEN: {
    schema: secret.optional(),
    meaning: 'Secret of hook senders; two values separated by a comma while rotating. Must differ from every other secret.',
    default: 'generated',
  },
  GATEWAY_CONFIG: { schema: text.optional(), meaning: 'Path of the gateway configuration file (JSON5).', default: '' },
  SESSION_API_URL: {
    schema: url.transform(value => value.replace(/\/+$/, '')).optional(),
    meaning:
      'Server whose credit API agent runs are charged through, with SVC_SERVICES_TOKEN, where the gateway runs apart from it. Absent: the ledger of the own database.',
    default: '',
  },
  OUTGOING_ALLOW_PRIVATE: {
    schema: z
      .string()
      .default('')
      .transform(value =>
        value
          .split(',')
          .map(subnet => subnet.trim())
          .filter(Boolean),
      )
      .pipe(z.array(z.string().refine(subnet => subnet === '*' || isSubnet(subnet), 'must be addresses, subnets or *'))),
    meaning:
      'Private addresses that requests to addresses given by users and recipes may reach: addresses or subnets separated by commas; * allows all. Default: none. What the operator names by a setting of its own (models, channels, telephone providers) needs no entry.',
    default: '',
  },
  PAID_PROVIDER_ORGANIZATIONS: {
    schema: z
      .string()
      .default('')
      .transform(value => listed(value))
      .pipe(z.array(z.union([z.literal('*'), z.uuid()], 'must be ids of organizations separated by commas, or *'))),
    meaning:
      "Organizations that may use what you pay for (Twilio, Vapi, recipes with your secrets, the language model): their ids separated by commas, or * for all. Default: the first start's.",
    default: '',
  },
  VOICE_PROVIDER: {
    schema: z.enum(['simulator', 'twilio', 'vapi', 'http']).default('simulator'),
    meaning: 'Telephone provider of agents that name none: simulator, twilio, vapi or http.',
    default: 'simulator',
  },
  VOICE_DISPATCH_WAIT_MS: {
    schema: count(0, 20_000).default(3000),
    meaning: 'Milliseconds that placing a call waits for the provider; a slower one is left to the worker.',
    default: '3000',
  },
  VOICE_CONCURRENCY: {
    schema: count(1, 1000).default(10),
    meaning: 'Calls an organization has at once, unless its own voice settings say otherwise; more wait in order.',
    default: '10',
  },
  VOICE_PRICE_PER_MINUTE: {
    schema: credits.default(0),
    meaning: 'Credits per minute of an answered call, billed by the second.',
    default: '0',
  },
  VOICE_SIGNING_SECRET: {
    schema: secret.optional(),
    meaning:
      "Secret that agents' own signing secrets are derived from: changed, all of them change at once, without an overlap. Default: IDENTITY_SECRET, or with IDENTITY_ISSUER the whole text of SVC_SERVICES_TOKEN, which every step of rotating it changes; set to the text before, it keeps agents' secrets as they are.",
    default: '',
  },
  SIMULATOR_SPEED: {
    schema: z.coerce.number().min(0).max(1000).default(1),
    meaning: 'How many times faster than life simulated calls are; 0 is as fast as they can be.',
    default: '1',
  },
  TWILIO_ACCOUNT_SID: { schema: text.optional(), meaning: 'Switches Twilio on, with TWILIO_AUTH_TOKEN.', default: '' },
  TWILIO_AUTH_TOKEN: {
    schema: text.optional(),
    meaning: "The account's auth token; also checks the signature of Twilio's requests.",
    default: '',
  },
  TWILIO_API_URL: { schema: url.default('https://api.twilio.com'), meaning: "Address of Twilio's API.", default: 'https://api.twilio.com' },
  VAPI_API_KEY: { schema: text.optional(), meaning: 'Switches Vapi on, with VAPI_WEBHOOK_SECRET.', default: '' },
  VAPI_WEBHOOK_SECRET: {
    schema: secret.optional(),
    meaning: 'Secret that Vapi sends with its server messages: as X-Vapi-Secret, as bearer token, or as key of an HMAC signature.',
    default: '',
  },
  VAPI_API_URL: { schema: url.default('https://api.vapi.ai'), meaning: "Address of Vapi's API.", default: 'https://api.vapi.ai' },
  CREDITS_NEW_USER_GRANT: {
    schema: credits.max(100_000_000).optional(),
    meaning: 'Credits that a new user starts with. Default: 1000, in production 0.',
    default: '',
  },
  CREDITS_LOW_BALANCE: {
    schema: credits.default(100),
    meaning: 'An account with fewer credits available is low, and says so once; 0 never.',
    default: '100',
  },
  ENRICHMENT_RECIPES: {
    schema: text.optional(),
    meaning: 'Folder of further enrichment recipes (*.yaml). Secrets of their providers come as RECIPE_SECRET_<NAME>.',
    default: '',
  },
  ENRICHMENT_CONCURRENCY: { schema: count(1, 200).default(8), meaning: 'Enrichment jobs that one worker runs at once.', default: '8' },
  ENRICHMENT_QUEUE_LIMIT: {
    schema: count(1, 1_000_000).default(1000),
    meaning: 'Enrichment jobs that one organization may have waiting; more are answered 429.',
    default: '1000',
  },
  ENRICHMENT_LLM_URL: {
    schema: url.optional(),
    meaning: 'OpenAI-compatible server of the llm steps of recipes, with its /v1. Absent: these steps are skipped.',
    default: '',
  },
  ENRICHMENT_LLM_MODEL: { schema: text.optional(), meaning: 'Model of the llm steps. Required with ENRICHMENT_LLM_URL.', default: '' },
  ENRICHMENT_LLM_KEY: { schema: text.optional(), meaning: 'Key of the server of the llm steps.', default: '' },
  // 30 at least: within them the same answer is not paid for twice, which the suggestions tell.
  ENRICHMENT_RETENTION_DAYS: {
    schema: count(30, 36_500).default(365),
    meaning: 'Days that finished enrichment jobs with their steps, and decided or expired suggestions, are kept; 30 at least.',
    default: '365',
  },
  EVENT_RETENTION_DAYS: { schema: count(1, 36_500).default(365), meaning: 'Days that events (timelines) are kept.', default: '365' },
} satisfies Record<string, { schema: z.ZodType; meaning: string; default: string }>

type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['schema']> }

/** The parsed settings. Secrets that may be generated are filled in by `withSecrets` before anyone reads them. */
export interface Config extends Settings {
  SIGN_UP: NonNullable<Settings['SIGN_UP']>
  CREDITS_NEW_USER_GRANT: number
  isProduction: boolean
  isEmbedded: boolean
  /** What recipes may name as {{secrets.NAME}}. */
  recipeSecrets: Readonly<Record<string, string>>
  /** The gateway's configuration file, or its defaults. */
  gateway: GatewaySettings
}

/** Settings that stop the start, one sentence each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Reads the environment. An empty value counts as absent. Throws ConfigError with every problem. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => name in settings && value !== ''))
  const schema = z.object(Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.schema])))
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`))

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

const recipeSecret = /^RECIPE_SECRET_([A-Z0-9_]+)$/

function recipeSecretsIn(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      const [, secret] = recipeSecret.exec(name) ?? []
      return secret && value ? [[secret, value]] : []
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

/** Seconds between SIGTERM and the end of taking requests. Nobody waits for a server that is tried out by hand. */
export const drainSeconds = ({ DRAIN_SECONDS, isProduction }: Config): number => DRAIN_SECONDS ?? (isProduction ? 5 : 0)

/** Whether the gateway takes hooks: said by the environment, else by its file; else where the database is the embedded one. */
export const takesHooks = ({ HOOKS_ENABLED, gateway, isEmbedded }: Config): boolean => HOOKS_ENABLED ?? gateway.hooks.enabled ?? isEmbedded

/** Every token that opens the hooks: the environment's (two, separated by a comma, while rotating) and the file's. */
export const hookTokens = ({ HOOKS_TOKEN, gateway }: Config): string[] => [...listed(HOOKS_TOKEN), ...gateway.hooks.tokens]

const listed = (value: string | undefined) => (value ?? '').split(',').flatMap(token => (token.trim() ? [token.trim()] : []))
function passwordIn(url: string | undefined): string {
  if (!url) return ''
  const { password } = new URL(url)
  try {
    return decodeURIComponent(password)
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return password
  }
}

/** What no single setting can see: one sentence per contradiction. */
export function contradictions(config: Config): string[] {
  const problems: string[] = []
  if (config.isProduction && config.ALLOW_USER_HEADER)
    problems.push('ALLOW_USER_HEADER: must not be switched on when NODE_ENV is production; anyone could name any user')
  if (config.IDENTITY_ISSUER && !config.IDENTITY_AUDIENCE) problems.push('IDENTITY_AUDIENCE: is required when IDENTITY_ISSUER is set')
  if (!config.IDENTITY_ISSUER && (config.IDENTITY_AUDIENCE || config.IDENTITY_JWKS_URL))
    problems.push('IDENTITY_ISSUER: is required when IDENTITY_AUDIENCE or IDENTITY_JWKS_URL is set')
  if (config.DATABASE_DIRECT_URL && !config.DATABASE_URL)
    problems.push('DATABASE_URL: is required when DATABASE_DIRECT_URL is set; both lead to the same database')
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
    config.VAPI_WEBHOOK_SECRET,
    config.TWILIO_AUTH_TOKEN,
    ...listed(config.SVC_SERVICES_TOKEN),
    ...[config.DATABASE_URL, config.DATABASE_DIRECT_URL].flatMap(url => (url ? addressesOf(url) : [])).map(passwordIn),
    ...[config.REDIS_URL, config.SMTP_URL].map(passwordIn),
    ...config.gateway.secrets,
  ]
  if (listed(config.HOOKS_TOKEN).some(token => others.includes(token))) problems.push('HOOKS_TOKEN: must differ from every other secret')
  if (config.gateway.hooks.tokens.some(token => others.includes(token)))
    problems.push('hooks.token in GATEWAY_CONFIG: must differ from every other secret')
  for (const token of listed(config.HOOKS_TOKEN))
    if (token.length < 16) problems.push('HOOKS_TOKEN: each value must have at least 16 characters')
  return problems
}

/** The table of settings as text, for --help. */
export function describeSettings(): string {
  const width = Math.max(...Object.keys(settings).map(name => name.length))
  return Object.entries(settings)
    .map(([name, { meaning, default: value }]) => `  ${name.padEnd(width)}  ${meaning}${value ? ` Default: ${value}.` : ''}`)
    .join('\n')
}
