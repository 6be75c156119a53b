// The settings: name, schema and meaning of every environment variable, and their description for operators.

import { z } from 'zod'
import { isSubnet } from '../kernel/outgoing/addresses.ts'
import { tracingSettings } from './tracing.ts'
import {
  baseAddress,
  count,
  credits,
  databaseUrl,
  flag,
  number,
  oneOf,
  origin,
  port,
  proxies,
  publicAddress,
  redisUrl,
  secret,
  smtpUrl,
  splitList,
  text,
  url,
} from './values.ts'

const roles = ['web', 'api', 'session', 'gateway', 'worker'] as const
export type Role = (typeof roles)[number]

export interface Setting {
  schema: z.ZodType
  /** The description for operators: with the unit, and the meaning of an absent value. */
  meaning: string
  /** The default for operators, if the schema has none to show. */
  default?: string
}

/** All settings. `.env.example`, `rolocom settings` and the table in src/server/README.md are generated from them. */
export const settings = {
  PORT: { schema: port.default(4000), meaning: 'Port to listen on; 0 takes a free one.' },
  HOST: { schema: text.default('127.0.0.1'), meaning: 'Address to listen on.' },
  NODE_ENV: {
    schema: oneOf(['development', 'test', 'production']).default('development'),
    meaning: 'development, test or production. Production requires every secret and hides introspection from anonymous callers.',
  },
  PUBLIC_URL: {
    schema: publicAddress.optional(),
    meaning: 'Address at which users and providers reach this server, used in links.',
    default: 'http://HOST:PORT',
  },
  DATA_DIR: { schema: text.default('.data'), meaning: 'Folder of the embedded database and of generated secrets.' },
  DATABASE_URL: {
    schema: databaseUrl.optional(),
    meaning:
      'PostgreSQL 15 or newer, as postgresql://user:password@host:port/database; of several hosts, as host1:port,host2:port, the one that is the primary. Absent: the embedded PostgreSQL.',
  },
  DATABASE_DIRECT_URL: {
    schema: databaseUrl.optional(),
    meaning:
      'The same database past the pooler (PgBouncer) that DATABASE_URL leads to: for migrations, and for LISTEN, by which processes learn of revocations and live updates.',
  },
  DATABASE_READ_URLS: {
    schema: text.transform(splitList).pipe(z.array(databaseUrl)).optional(),
    meaning:
      'Standbys of DATABASE_URL by streaming replication, separated by commas: lists, stats, search and dashboard are read there once they have replayed every write acknowledged before the read. Absent: the primary answers all reads.',
  },
  DATABASE_POOL_SIZE: {
    schema: count(2, 200).default(16),
    meaning: 'Connections of this process to PostgreSQL, and to each of DATABASE_READ_URLS; short reads share a quarter of them.',
  },
  REDIS_URL: {
    schema: redisUrl.optional(),
    meaning: 'Redis for rate limits shared by several processes. Absent: each process counts alone.',
  },
  ROLES: {
    schema: z
      .string()
      .default(roles.join(','))
      .transform(value => value.split(',').map(role => role.trim()))
      .pipe(z.array(oneOf(roles))),
    meaning: 'Roles of this process, separated by commas: web, api, session, gateway, worker.',
  },
  DRAIN_SECONDS: {
    schema: count(0, 300).optional(),
    meaning:
      'Seconds after SIGTERM during which requests are still served while /readyz answers 503, so that a load balancer stops sending requests before connections are closed. Default: 5 in production, else 0.',
  },
  LOG_LEVEL: {
    schema: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    meaning: 'fatal, error, warn, info, debug, trace or silent.',
  },
  METRICS_TOKEN: {
    schema: secret.optional(),
    meaning: 'Secret that /metrics requires, as Authorization: Bearer. In production /metrics is closed without it.',
  },
  ...tracingSettings,
  FRONTEND_ORIGIN: { schema: origin.optional(), meaning: 'The only foreign origin that browsers may call from (CORS).' },
  TRUST_PROXY: {
    schema: proxies.optional(),
    meaning: 'Proxies whose X-Forwarded-* headers are believed: a number of hops, or addresses and subnets separated by commas.',
  },
  RATE_LIMIT: { schema: flag.default(true), meaning: '0 switches rate limits off.' },
  RATE_LIMIT_READS: { schema: count(1, 10_000_000).default(6000), meaning: 'Reads per credential and minute.' },
  RATE_LIMIT_WRITES: {
    schema: count(1, 10_000_000).default(3000),
    meaning: 'Writes per credential and minute; each row of a batch is one.',
  },
  RATE_LIMIT_ORGANIZATION_READS: {
    schema: count(1, 100_000_000).default(30_000),
    meaning: 'Reads per organization and minute, of all its members and keys together.',
  },
  RATE_LIMIT_ORGANIZATION_WRITES: {
    schema: count(1, 100_000_000).default(15_000),
    meaning: 'Writes per organization and minute, of all its members and keys together.',
  },
  STREAMS_PER_ORGANIZATION: {
    schema: count(1, 1_000_000).default(1000),
    meaning:
      'Subscriptions that an organization may have open at once in a process, and all guests together; one credential has at most 100.',
  },
  RATE_LIMIT_SERVICE: {
    schema: count(0, 10_000_000).default(0),
    meaning: 'Reads, and writes, per minute of all requests with the service token; 0: no limit.',
  },
  SVC_SERVICES_TOKEN: {
    schema: secret.optional(),
    meaning: 'Secret shared by backends; two values separated by a comma while rotating. At least 16 characters each.',
    default: 'generated',
  },
  SIGN_UP: {
    schema: oneOf(['open', 'invited', 'closed']).optional(),
    meaning:
      'Policy of sign-up: open (anybody), invited (with a one-use address of an owner or of the operator), closed (with an address that the operator makes, npm run rolocom -- claim). Default: open with the embedded database outside production, else closed.',
  },
  SIGN_UPS_PER_HOUR: {
    schema: count(1, 1_000_000).default(60),
    meaning:
      'New users, and attempts to become one by password, per network (an IPv4 address, or the /64 of an IPv6 address) and hour, in each process.',
  },
  ORGANIZATIONS_PER_USER: {
    schema: count(1, 100_000).default(5),
    meaning: 'Organizations that one user may create, the one of the sign-up included.',
  },
  INVITATION_MAILS_PER_DAY: {
    schema: count(1, 1_000_000).default(200),
    meaning: 'Mails of invitations that an organization may send within 24 hours, reminders included.',
  },
  INVITATION_MAILS_PER_ADDRESS: {
    schema: count(1, 1_000_000).default(5),
    meaning: 'Mails of invitations that all organizations together may send to one address within 24 hours.',
  },
  IDENTITY_ISSUER: {
    schema: url.optional(),
    meaning: 'Issuer (iss) of an outside identity provider. Absent: the embedded one at /idp.',
  },
  IDENTITY_AUDIENCE: {
    schema: text.optional(),
    meaning: 'Audience (aud) its tokens must carry. Required with IDENTITY_ISSUER.',
  },
  IDENTITY_JWKS_URL: {
    schema: url.optional(),
    meaning: "Address of its signing keys. Default: the issuer's /.well-known/jwks.json.",
  },
  IDENTITY_SECRET: {
    schema: secret.optional(),
    meaning: 'Secret of the embedded identity provider; encrypts its signing keys, so it must stay the same.',
    default: 'generated',
  },
  APP_SCHEMES: {
    schema: z
      .string()
      .default('')
      .transform(splitList)
      .pipe(z.array(z.string().regex(/^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/, 'a scheme has a dot, such as com.example.app'))),
    meaning:
      'Private-use schemes of desktop applications that may be signed in to, such as com.example.app. Loopback addresses always may.',
  },
  GOOGLE_CLIENT_ID: { schema: text.optional(), meaning: 'Switches Google sign-in on, with GOOGLE_CLIENT_SECRET.' },
  GOOGLE_CLIENT_SECRET: { schema: text.optional(), meaning: 'Secret of the Google client.' },
  SMTP_URL: {
    schema: smtpUrl.optional(),
    meaning:
      'Mail server for links, reminders and invitations. Absent: links are printed in the log, a new account works before its address is verified, and sign-up tells whether an address has an account.',
  },
  MAIL_LINKS: {
    schema: flag.default(true),
    meaning:
      '0 switches off every link by email: signing in, verifying an address, choosing a new password. Production needs SMTP_URL for them.',
  },
  MAIL_FROM: {
    schema: text
      .refine(value => value.includes('@'), 'must be an address, such as Rolocom <no-reply@crm.example>')
      .default('Rolocom <no-reply@localhost>'),
    meaning: 'Sender of emails.',
  },
  ALLOW_USER_HEADER: {
    schema: flag.default(false),
    meaning: '1 accepts X-User-ID as a credential. Development and test only; production refuses to start with it.',
  },
  HOOKS_ENABLED: { schema: flag.optional(), meaning: '1 serves the gateway hooks. Default: on with the embedded database.' },
  HOOKS_TOKEN: {
    schema: secret.optional(),
    meaning: 'Secret of hook senders; two values separated by a comma while rotating. Must differ from every other secret.',
    default: 'generated',
  },
  MCP_LISTED_TOOLS: {
    schema: count(0, 1000).default(50),
    meaning:
      'Most tools that /mcp lists to a key. With more, it lists two instead, which search and call them: for models with a small context.',
  },
  GATEWAY_CONFIG: { schema: text.optional(), meaning: 'Path of the gateway configuration file (JSON5).' },
  SESSION_API_URL: {
    schema: baseAddress.optional(),
    meaning:
      'Server whose credit API charges agent runs, with its SVC_SERVICES_TOKEN, for a gateway with a database of its own. Absent: the ledger of this database.',
  },
  OUTGOING_ALLOW_PRIVATE: {
    schema: z
      .string()
      .default('')
      .transform(splitList)
      .pipe(z.array(z.string().refine(subnet => subnet === '*' || isSubnet(subnet), 'must be an address, a subnet or *'))),
    meaning:
      'Private addresses that requests to addresses given by users and recipes may reach: addresses or subnets separated by commas; * allows all. Default: none. Addresses that the operator sets (models, channels, telephony providers) need no entry.',
  },
  PAID_PROVIDER_ORGANIZATIONS: {
    schema: z
      .string()
      .default('')
      .transform(splitList)
      .pipe(z.array(z.string().refine(id => id === '*' || z.uuid().safeParse(id).success, 'must be the id of an organization, or *'))),
    meaning:
      "Organizations that may use services billed to you (Twilio, Vapi, recipes with your secrets, the language model): their ids separated by commas, or * for all. Default: the first start's.",
  },
  VOICE_PROVIDER: {
    schema: oneOf(['simulator', 'twilio', 'vapi', 'http']).default('simulator'),
    meaning: 'Telephony provider of agents that name none: simulator, twilio, vapi or http.',
  },
  VOICE_DISPATCH_WAIT_MS: {
    schema: count(0, 20_000).default(3000),
    meaning: 'Milliseconds that placing a call waits for the provider; the worker continues with a slower one.',
  },
  VOICE_SILENCE_SECONDS: {
    schema: count(2, 60).default(8),
    meaning:
      'Seconds of silence in a conversation after which the agent asks whether somebody is there; after as many more it says goodbye.',
  },
  VOICE_CONCURRENCY: {
    schema: count(1, 1000).default(10),
    meaning: 'Concurrent calls of an organization, unless its own voice settings differ; further calls wait in order.',
  },
  VOICE_PRICE_PER_MINUTE: {
    schema: credits().default(0),
    meaning: 'Credits per minute of an answered call, billed by the second.',
  },
  VOICE_SIGNING_SECRET: {
    schema: secret.optional(),
    meaning:
      "Secret from which agents' signing secrets are derived: changing it changes all of them at once, without an overlap. Default: IDENTITY_SECRET, or with IDENTITY_ISSUER the whole text of SVC_SERVICES_TOKEN, which each step of its rotation changes; set this to the former text to keep agents' secrets.",
  },
  WEBHOOK_SIGNING_SECRET: {
    schema: secret.optional(),
    meaning:
      "Secret from which webhook endpoints' signing secrets are derived, as VOICE_SIGNING_SECRET is for agents: changing it changes all of them at once. Default: as there, without regard to VOICE_SIGNING_SECRET.",
  },
  SIMULATOR_SPEED: {
    schema: number(0, 1000).default(1),
    meaning: 'How many times faster than real time simulated calls run; 0 is as fast as possible.',
  },
  TWILIO_ACCOUNT_SID: { schema: text.optional(), meaning: 'Switches Twilio on, with TWILIO_AUTH_TOKEN.' },
  TWILIO_AUTH_TOKEN: {
    schema: text.optional(),
    meaning: "The account's auth token; also checks the signature of Twilio's requests.",
  },
  TWILIO_API_URL: { schema: baseAddress.default('https://api.twilio.com'), meaning: "Address of Twilio's API." },
  VAPI_API_KEY: { schema: text.optional(), meaning: 'Switches Vapi on, with VAPI_WEBHOOK_SECRET.' },
  VAPI_WEBHOOK_SECRET: {
    schema: secret.optional(),
    meaning: 'Secret that Vapi sends with its server messages: as X-Vapi-Secret, as bearer token, or as key of an HMAC signature.',
  },
  VAPI_API_URL: { schema: baseAddress.default('https://api.vapi.ai'), meaning: "Address of Vapi's API." },
  CREDITS_NEW_USER_GRANT: {
    schema: credits(100_000_000).optional(),
    meaning: 'Credits that a new user starts with. Default: 1000, in production 0.',
  },
  CREDITS_LOW_BALANCE: {
    schema: credits().default(100),
    meaning: 'An account with fewer available credits is low, which sends credits.low once; 0 never.',
  },
  ENRICHMENT_RECIPES: {
    schema: text.optional(),
    meaning: 'Folder of further enrichment recipes (*.yaml). The secrets of their providers are RECIPE_SECRET_<NAME>.',
  },
  ENRICHMENT_CONCURRENCY: {
    schema: count(1, 200).default(8),
    meaning: 'Concurrent enrichment jobs of one worker, at most three quarters of them of one organization.',
  },
  ENRICHMENT_QUEUE_LIMIT: {
    schema: count(1, 1_000_000).default(1000),
    meaning: 'Waiting enrichment jobs of one organization; further jobs are refused with 429.',
  },
  ENRICHMENT_LLM_URL: {
    schema: baseAddress.optional(),
    meaning: 'OpenAI-compatible server of the llm steps of recipes, with its /v1. Absent: these steps are skipped.',
  },
  ENRICHMENT_LLM_MODEL: { schema: text.optional(), meaning: 'Model of the llm steps. Required with ENRICHMENT_LLM_URL.' },
  ENRICHMENT_LLM_KEY: { schema: text.optional(), meaning: 'Key of the server of the llm steps.' },
  // At least 30: for 30 days, a suggestion prevents paying again for the same answer.
  ENRICHMENT_RETENTION_DAYS: {
    schema: count(30, 36_500).default(365),
    meaning: 'Days that finished enrichment jobs with their steps, and decided or expired suggestions, are kept; 30 at least.',
  },
  EVENT_RETENTION_DAYS: {
    schema: count(1, 36_500).default(365),
    meaning: 'Days that events (timelines) are kept, at most a tenth longer.',
  },
  // At least 30: for as long, an event that its provider repeats is recognized.
  PROVIDER_EVENT_RETENTION_DAYS: {
    schema: count(30, 36_500).default(365),
    meaning: 'Days that what telephony providers reported about calls is kept as they sent it, at most a tenth longer; 30 at least.',
  },
  TRANSCRIPT_RETENTION_DAYS: {
    schema: count(1, 36_500).optional(),
    meaning:
      'Days that transcripts of calls are kept, at most a tenth longer; what providers sent has them for PROVIDER_EVENT_RETENTION_DAYS. Calls and their summaries stay. Absent: for ever.',
  },
} satisfies Record<string, Setting>
