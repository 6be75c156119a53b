// Missing secrets are generated once into the data folder, readable by its owner only. In production they must be set.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDurably } from './durable-file.ts'
import { type Config, ConfigError, contradictions, takesHooks } from './environment.ts'

const names = ['SVC_SERVICES_TOKEN', 'HOOKS_TOKEN', 'IDENTITY_SECRET'] as const
type Secrets = Record<(typeof names)[number], string>

/** The config with all secrets. In production, throws ConfigError with one sentence per missing secret. */
export function withSecrets(config: Config): Config & Secrets {
  const missing = names.filter(name => config[name] === undefined && isNeeded(config, name))
  if (config.isProduction && missing.length > 0)
    throw new ConfigError(missing.map(name => `${name}: must be set when NODE_ENV is production`))

  const generated = config.isProduction ? newSecrets() : readOrCreateSecrets(config.DATA_DIR)
  const complete = { ...config, ...Object.fromEntries(names.map(name => [name, config[name] ?? generated[name]])) } as Config & Secrets
  const problems = contradictions(complete)
  if (problems.length > 0) throw new ConfigError(problems)
  return complete
}

/** Whether this configuration uses the secret. */
function isNeeded(config: Config, name: keyof Secrets): boolean {
  if (name === 'HOOKS_TOKEN') return takesHooks(config) && config.gateway.hooks.tokens.length === 0
  if (name === 'IDENTITY_SECRET') return config.IDENTITY_ISSUER === undefined
  return true
}

const random = () => randomBytes(32).toString('base64url')
// Secrets that are not used still get a random value.
const newSecrets = (): Secrets => ({ SVC_SERVICES_TOKEN: random(), HOOKS_TOKEN: random(), IDENTITY_SECRET: random() })

function readOrCreateSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json')
  try {
    mkdirSync(dataDir, { recursive: true })
    // When two processes start at once, one creates the file and both read it.
    if (!existsSync(path)) createDurably(path, `${JSON.stringify(newSecrets(), null, 2)}\n`)
    return JSON.parse(readFileSync(path, 'utf8')) as Secrets
  } catch (error) {
    throw new ConfigError([`DATA_DIR: the secrets in ${dataDir} can be neither read nor written: ${(error as Error).message}`])
  }
}
