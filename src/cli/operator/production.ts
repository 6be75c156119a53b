// Checks the configuration of a server in production.

import { type Config, ConfigError } from '../../config/environment.ts'
import { type HmacScheme, signingKey } from '../../config/gateway/mappings.ts'

// 24 bytes: the minimum of Standard Webhooks, and too many keys to try.
const minKeyBytes = 24

/** Throws ConfigError with one sentence per unsafe setting. */
export function requireProduction(config: Config): void {
  if (!config.isProduction) return
  const problems = [...addressProblems(config), ...signingProblems(config)]
  const sendsLinks = config.ROLES.includes('session') && config.IDENTITY_ISSUER === undefined && config.MAIL_LINKS
  if (sendsLinks && !config.SMTP_URL)
    problems.push('SMTP_URL: must be set when NODE_ENV is production, for links to sign in with; or MAIL_LINKS=0 switches them off')
  if (problems.length > 0) throw new ConfigError(problems)
}

function addressProblems({ PUBLIC_URL, ROLES }: Config): string[] {
  // Links in emails and one-use addresses start with it; a process without these roles creates none.
  const isNeeded = ROLES.some(role => role === 'session' || role === 'worker')
  if (PUBLIC_URL === undefined)
    return isNeeded ? ['PUBLIC_URL: must be set when NODE_ENV is production: the https address that people reach this server at'] : []
  const { protocol, hostname } = new URL(PUBLIC_URL)
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  if (protocol === 'https:' || isLoopback) return []
  return [`PUBLIC_URL: must begin with https:// when NODE_ENV is production; passwords and tokens go to ${PUBLIC_URL}`]
}

function signingProblems({
  IDENTITY_SECRET,
  VOICE_SIGNING_SECRET,
  WEBHOOK_SIGNING_SECRET,
  VAPI_WEBHOOK_SECRET,
  gateway,
}: Config): string[] {
  const { mappings, presetSecrets } = gateway.hooks
  const named: [name: string, scheme: HmacScheme, secret: string | undefined][] = [
    ['IDENTITY_SECRET', 'hex', IDENTITY_SECRET],
    ['VOICE_SIGNING_SECRET', 'hex', VOICE_SIGNING_SECRET],
    ['WEBHOOK_SIGNING_SECRET', 'hex', WEBHOOK_SIGNING_SECRET],
    ['VAPI_WEBHOOK_SECRET', 'hex', VAPI_WEBHOOK_SECRET],
    ['hooks.presetSecrets.github in GATEWAY_CONFIG', 'github', presetSecrets.github],
    ['hooks.presetSecrets.stripe in GATEWAY_CONFIG', 'stripe', presetSecrets.stripe],
    ...mappings.map(({ id, auth }): [string, HmacScheme, string | undefined] => [
      `auth.hmac.secret of the mapping ${id} in GATEWAY_CONFIG`,
      auth?.hmac?.scheme ?? 'hex',
      auth?.hmac?.secret,
    ]),
  ]
  return named.flatMap(([name, scheme, secret]) => {
    const bytes = secret === undefined ? minKeyBytes : signingKey(scheme, secret).length
    if (bytes >= minKeyBytes) return []
    return [
      `${name}: has ${bytes} bytes; when NODE_ENV is production a signing secret has ${minKeyBytes} or more, as of openssl rand -base64 24`,
    ]
  })
}
