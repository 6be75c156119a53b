// Secrets that nobody set are generated once into the data folder, readable by its owner alone. Production must set them.

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, contradictions, takesHooks } from './config.ts'

const names = ['SVC_SERVICES_TOKEN', 'HOOKS_TOKEN', 'IDENTITY_SECRET'] as const
type Secrets = Record<(typeof names)[number], string>

/** The config with every secret in place. Throws ConfigError, one sentence per missing secret, in production. */
export function withSecrets(config: Config): Config & Secrets {
  const missing = names.filter(name => config[name] === undefined && isNeeded(config, name))
  if (config.isProduction && missing.length > 0)
    throw new ConfigError(missing.map(name => `${name}: must be set when NODE_ENV is production`))

  const generated = config.isProduction ? unused() : stored(config.DATA_DIR)
  const complete = { ...config, ...Object.fromEntries(names.map(name => [name, config[name] ?? generated[name]])) } as Config & Secrets
  const problems = contradictions(complete)
  if (problems.length > 0) throw new ConfigError(problems)
  return complete
}

/** Whether this configuration uses the secret at all. */
function isNeeded(config: Config, name: keyof Secrets): boolean {
  if (name === 'HOOKS_TOKEN') return takesHooks(config) && config.gateway.hooks.tokens.length === 0
  if (name === 'IDENTITY_SECRET') return config.IDENTITY_ISSUER === undefined
  return true
}

const random = () => randomBytes(32).toString('base64url')
// A secret nobody needs still gets a value that nobody can guess.
const unused = (): Secrets => ({ SVC_SERVICES_TOKEN: random(), HOOKS_TOKEN: random(), IDENTITY_SECRET: random() })

function stored(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json')
  try {
    mkdirSync(dataDir, { recursive: true })
    write(path)
    return JSON.parse(readFileSync(path, 'utf8')) as Secrets
  } catch (error) {
    throw new ConfigError([`DATA_DIR: the secrets in ${dataDir} can be neither read nor written: ${(error as Error).message}`])
  }
}

function write(path: string): void {
  try {
    // Exclusive: of two processes that start at once, one writes and both read the same.
    writeFileSync(path, `${JSON.stringify(unused(), null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
