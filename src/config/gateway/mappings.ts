// Mappings in the configuration file: which requests a mapping matches, how they are authenticated, and the wake or run that it makes of
// them.

import { z } from 'zod'
import { scopes } from '../../kernel/principal.ts'
import { channelChoices, text, thinkingLevels, timeoutSeconds } from './enums.ts'

export const presetNames = ['gmail', 'github', 'stripe'] as const
export type Preset = (typeof presetNames)[number]

/** The scheme of a sender's signatures: HMAC-SHA256 of the raw body. */
const hmacSchemes = ['github', 'stripe', 'slack', 'standard-webhooks', 'hex', 'base64'] as const
export type HmacScheme = (typeof hmacSchemes)[number]

/** The bytes of a sender's secret: base64 in Standard Webhooks, plain text elsewhere. */
export const signingKey = (scheme: HmacScheme, secret: string): Buffer =>
  scheme === 'standard-webhooks' ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64') : Buffer.from(secret)

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const oneOrMore = <Item extends z.ZodType>(item: Item) => z.union([item, z.array(item).min(1)])

// The default header of each scheme.
const headerOf: Record<HmacScheme, string | undefined> = {
  github: 'x-hub-signature-256',
  stripe: 'stripe-signature',
  slack: 'x-slack-signature',
  'standard-webhooks': 'webhook-signature',
  hex: undefined,
  base64: undefined,
}

const hmac = z
  .strictObject({ header: text.optional(), secret: z.string().min(8), scheme: z.enum(hmacSchemes).default('github') })
  .transform((value, context) => {
    const header = (value.header ?? headerOf[value.scheme])?.toLowerCase()
    if (header === undefined) context.addIssue({ code: 'custom', path: ['header'], message: `is required for the scheme ${value.scheme}` })
    return { ...value, header: header ?? '' }
  })

const schema = z.strictObject({
  id: text.optional(),
  match: z
    .strictObject({
      path: text.transform(path => path.replace(/^\/+|(?<!\/)\/+$/g, '')).optional(),
      source: text.optional(),
      headers: z.record(text.toLowerCase(), oneOrMore(z.string())).optional(),
      where: z.record(text, oneOrMore(scalar)).optional(),
    })
    .default({}),
  action: z.enum(['wake', 'agent']).default('agent'),
  textTemplate: text.optional(),
  messageTemplate: text.optional(),
  name: text.optional(),
  sessionKey: text.optional(),
  deliver: z.boolean().optional(),
  channel: z.enum(channelChoices).optional(),
  to: text.optional(),
  model: text.optional(),
  thinking: z.enum(thinkingLevels).optional(),
  timeoutSeconds: timeoutSeconds.optional(),
  wakeMode: z.enum(['now', 'next-heartbeat']).optional(),
  agentId: text.optional(),
  forEach: text.optional(),
  maxBodyBytes: z
    .number()
    .int()
    .min(1)
    .max(16 * 1024 * 1024)
    .optional(),
  auth: z
    .strictObject({ token: z.string().min(16, 'must have at least 16 characters').optional(), hmac: hmac.optional() })
    .refine(({ token, hmac }) => (token === undefined) !== (hmac === undefined), 'takes either token or hmac')
    .optional(),
  transform: z.strictObject({ module: text, export: text.default('default') }).optional(),
  /** The number of requests of this mapping that one process handles at once. */
  concurrency: z.number().int().min(1).max(256).default(8),
  /**
   * A template of the idempotency key. For signed requests it may read only signed data, and replaces the id or digest of the signed
   * message; for others the sender's Idempotency-Key takes precedence.
   */
  idempotencyKey: text.optional(),
  scopes: z.array(z.enum([...scopes, '*'])).optional(),
  creditCeiling: z.number().min(0).max(1_000_000_000).optional(),
})

export type Mapping = Omit<z.output<typeof schema>, 'id'> & { id: string }

/** The paths of built-in hooks, which mappings may not use. */
const taken = /^(wake|agent|runs)(\/|$)/
const agentOnly = [
  'messageTemplate',
  'name',
  'sessionKey',
  'deliver',
  'channel',
  'to',
  'model',
  'thinking',
  'timeoutSeconds',
  'agentId',
] as const

/** Reads one mapping of the file. A mapping with `problems` is disabled. */
export function readMapping(value: unknown, index: number): { id: string; mapping?: Mapping; problems: string[] } {
  const given = (value as { id?: unknown } | null)?.id
  const id = typeof given === 'string' && given.trim() ? given.trim() : `mapping-${index + 1}`
  const parsed = schema.safeParse(value)
  if (!parsed.success) return { id, problems: parsed.error.issues.map(issue => problemOf(issue)) }
  const { idempotencyKey = idOfMessage(parsed.data) } = parsed.data
  const one: Mapping = { ...parsed.data, id, ...(idempotencyKey !== undefined && { idempotencyKey }) }
  return { id, mapping: one, problems: withoutEffect(one) }
}

// Slack signs each attempt with a new signature, but the id in the body stays the same.
function idOfMessage({ auth, forEach }: Omit<Mapping, 'id'>): string | undefined {
  if (auth?.hmac?.scheme !== 'slack') return undefined
  return forEach === undefined ? '{{event_id}}' : '{{event_id}}:{{index}}'
}

// Settings that would have no effect are refused.
function withoutEffect(mapping: Mapping): string[] {
  const problems: string[] = []
  const { match, action, transform, textTemplate, messageTemplate } = mapping
  if (match.path !== undefined && taken.test(match.path)) problems.push(`match.path "${match.path}" is served by the gateway itself`)
  if (match.path !== undefined && !/^[A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*$/.test(match.path))
    problems.push(`match.path "${match.path}" is no path of letters, digits, dots, dashes, underscores and slashes`)
  if (transform) return problems
  if (action === 'wake') {
    if (textTemplate === undefined) problems.push('action "wake" needs textTemplate or transform')
    for (const name of agentOnly) if (mapping[name] !== undefined) problems.push(`${name} means nothing for action "wake"`)
  } else {
    if (messageTemplate === undefined) problems.push('action "agent" needs messageTemplate or transform')
    if (textTemplate !== undefined) problems.push('textTemplate means nothing for action "agent"')
  }
  return problems
}

function problemOf(issue: z.core.$ZodIssue): string {
  const where = issue.path.join('.')
  const what = issue.code === 'unrecognized_keys' ? `unknown setting ${issue.keys.map(key => `"${key}"`).join(', ')}` : issue.message
  return where ? `${where}: ${what}` : what
}
