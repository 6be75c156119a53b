// Settings from the environment: valid values, the messages about invalid ones, and generated secrets.

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeSettings } from '../../src/config/described.ts'
import { ConfigError, readConfig } from '../../src/config/environment.ts'
import { withSecrets } from '../../src/config/secrets.ts'
import { settings } from '../../src/config/settings.ts'
import { addressesOf } from '../../src/database/connections/address.ts'

const problems = (work: () => unknown): readonly string[] => {
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
const problemsOf = (environment: Record<string, string | undefined>) => problems(() => readConfig(environment))

describe('readConfig', () => {
  test('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 4000,
      HOST: '127.0.0.1',
      NODE_ENV: 'development',
      DATA_DIR: '.data',
      ROLES: ['web', 'api', 'session', 'gateway', 'worker'],
      RATE_LIMIT: true,
      ALLOW_USER_HEADER: false,
      isProduction: false,
      isEmbedded: true,
    })
  })

  test('reads numbers, switches, lists and addresses', () => {
    expect(
      readConfig({
        PORT: '0',
        RATE_LIMIT: '0',
        HOOKS_ENABLED: 'true',
        ROLES: 'api, worker',
        DATABASE_URL: 'postgres://user:secret@db.example:5432/rolocom',
      }),
    ).toMatchObject({
      PORT: 0,
      RATE_LIMIT: false,
      HOOKS_ENABLED: true,
      ROLES: ['api', 'worker'],
      DATABASE_URL: 'postgres://user:secret@db.example:5432/rolocom',
      isEmbedded: false,
    })
  })

  test('an empty or blank value counts as absent, an unknown name is ignored', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', PATH: '/bin', EDITOR: 'vi' })).toEqual(readConfig({}))
    expect(readConfig(Object.fromEntries(Object.keys(settings).map(name => [name, ' \n'])))).toEqual(readConfig({}))
  })

  test('whatever a setting is set to, it is taken, or refused in a sentence that begins with its name and says what to write', () => {
    const odd = ['-1', '0x10', '1e3', '1e999', 'NaN', '1.5', 'abc', 'yes', 'http://', 'ftp://x', 'postgresql://', 'redis://', 'smtp://']
    odd.push(',', 'a,b', '300.300.300.300', '::/129', 'https://u:p@h/x?y#z', 'javascript:alert(1)', '0', '999999999999999999999')
    const said = Object.keys(settings).flatMap(name => odd.flatMap(value => problemsOf({ [name]: value })))

    // What is needed beside a setting, or the file that it names.
    const named = /^(?:[A-Z_]+(?: and [A-Z_]+)?|hooks\.token in GATEWAY_CONFIG): /
    expect(said.length).toBeGreaterThan(500)
    expect(said.filter(sentence => !named.test(sentence) || /Invalid|Too |expected|received|undefined|\n/.test(sentence))).toEqual([])
  })

  test('numbers are written in decimals, addresses as they are sent', () => {
    const PORT = 'PORT: must be a whole number from 0 to 65535'
    for (const value of ['0x10', '1e3', '+1', '1.5', '-0', '4000 5000'])
      expect([value, problemsOf({ PORT: value })]).toEqual([value, [PORT]])
    expect(problemsOf({ TRUST_PROXY: '0' })).toHaveLength(1)
    expect(readConfig({ VOICE_PRICE_PER_MINUTE: '0.000001', SIMULATOR_SPEED: '1.5', PORT: ' 4001\n' })).toMatchObject({
      VOICE_PRICE_PER_MINUTE: 0.000001,
      SIMULATOR_SPEED: 1.5,
      PORT: 4001,
    })

    for (const name of ['PUBLIC_URL', 'FRONTEND_ORIGIN'])
      expect(readConfig({ [name]: 'https://CRM.example/' })).toMatchObject({ [name]: 'https://crm.example' })
    expect(readConfig({ PUBLIC_URL: 'https://CRM.example/crm/' })).toMatchObject({ PUBLIC_URL: 'https://crm.example/crm' })
    expect(problemsOf({ FRONTEND_ORIGIN: 'https://crm.example/app' })).toEqual([
      'FRONTEND_ORIGIN: must be an address without a path, such as https://app.example',
    ])
    for (const value of [
      'https://u:p@crm.example',
      'https://crm.example?x',
      'https://crm.example/#x',
      'https://crm.example/?',
      'https://crm.example#',
    ])
      for (const name of ['PUBLIC_URL', 'FRONTEND_ORIGIN']) expect(problemsOf({ [name]: value })).toHaveLength(1)
  })

  test('a database may have several hosts, and one is the primary', () => {
    const DATABASE_URL = 'postgresql://user:secret@one:5432,two:5433/rolocom?target_session_attrs=read-write'
    expect(readConfig({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL)
    expect(addressesOf(DATABASE_URL)).toEqual([
      'postgresql://user:secret@one:5432/rolocom?target_session_attrs=read-write',
      'postgresql://user:secret@two:5433/rolocom?target_session_attrs=read-write',
    ])
    expect(() => readConfig({ DATABASE_URL: 'postgresql://one,two/rolocom?target_session_attrs=standby' })).toThrow(
      'DATABASE_URL: must lead to the primary, as target_session_attrs=read-write says; "standby" leads elsewhere',
    )
  })

  test('an sslmode of pg is accepted, and means what it means to pg without a warning', () => {
    const DATABASE_URL = 'postgresql://user@one,two/rolocom?connect_timeout=5&sslmode'
    for (const [written, meant] of [
      ...['prefer', 'require', 'verify-ca', 'verify-full'].map(mode => [mode, 'verify-full']),
      ...['disable', 'no-verify', 'require&uselibpqcompat=true'].map(mode => [mode, mode]),
    ]) {
      const url = readConfig({ DATABASE_URL: `${DATABASE_URL}=${written}` }).DATABASE_URL ?? ''
      expect(addressesOf(url)).toEqual(['one', 'two'].map(host => `postgresql://user@${host}/rolocom?connect_timeout=5&sslmode=${meant}`))
    }
    expect(problemsOf({ DATABASE_URL: `${DATABASE_URL}=always` })).toEqual([
      'DATABASE_URL: must have an sslmode of disable, no-verify, prefer, require, verify-ca, verify-full',
    ])
  })

  test('every problem is reported, one sentence each', () => {
    expect(
      problemsOf({
        PORT: '70000',
        DATABASE_POOL_SIZE: 'many',
        DATABASE_URL: 'mysql://localhost/rolocom',
        ROLES: 'api,cook',
        LOG_LEVEL: 'loud',
        RATE_LIMIT: 'maybe',
        SVC_SERVICES_TOKEN: 'short',
      }),
    ).toEqual([
      'PORT: must be a whole number from 0 to 65535',
      'DATABASE_URL: must be postgresql://user:password@host:port/database; several hosts as host1:port,host2:port',
      'DATABASE_POOL_SIZE: must be a whole number from 2 to 200',
      'ROLES: value 2 must be one of web, api, session, gateway, worker',
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      'RATE_LIMIT: must be 1 or 0',
      'SVC_SERVICES_TOKEN: must have at least 16 characters',
    ])
  })

  test('a problem never repeats the value: it may be a secret', () => {
    const secret = 'hunter2'
    const values = Object.fromEntries(Object.keys(settings).map(name => [name, secret]))

    expect(problemsOf(values).join('\n')).not.toContain(secret)
  })

  test('a password may hold a percent sign that encodes nothing', () => {
    expect(problemsOf({ SMTP_URL: 'smtp://user:50%off@mail.example' })).toEqual([])
  })

  test('contradictory settings are refused', () => {
    const token = 'a-token-of-enough-length'
    const other = 'another-token-of-enough-length'

    expect(problemsOf({ NODE_ENV: 'production', ALLOW_USER_HEADER: '1' })).toEqual([
      'ALLOW_USER_HEADER: must not be switched on when NODE_ENV is production; anyone could name any user',
    ])
    expect(problemsOf({ IDENTITY_ISSUER: 'https://id.example' })).toEqual(['IDENTITY_AUDIENCE: is required when IDENTITY_ISSUER is set'])
    expect(problemsOf({ IDENTITY_AUDIENCE: 'rolocom' })).toEqual([
      'IDENTITY_ISSUER: is required when IDENTITY_AUDIENCE or IDENTITY_JWKS_URL is set',
    ])
    expect(problemsOf({ GOOGLE_CLIENT_ID: 'id' })).toEqual(['GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET: set both or neither'])
    expect(problemsOf({ SESSION_API_URL: 'https://session.example' })).toEqual([
      'SVC_SERVICES_TOKEN: is required when SESSION_API_URL is set; both servers must have the same',
    ])
    expect(problemsOf({ DATABASE_READ_URLS: 'postgresql://standby.example/rolocom' })).toEqual([
      'DATABASE_URL: is required when DATABASE_READ_URLS is set; those are its standbys',
    ])
    expect(problemsOf({ SVC_SERVICES_TOKEN: `${token},short` })).toEqual([
      'SVC_SERVICES_TOKEN: each value must have at least 16 characters',
    ])
    for (const set of [{ SVC_SERVICES_TOKEN: `${other}, ${token}` }, { IDENTITY_SECRET: token }])
      expect(problemsOf({ HOOKS_TOKEN: token, ...set })).toEqual(['HOOKS_TOKEN: must differ from every other secret'])
  })
})

describe('withSecrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolocom-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('generates missing secrets once, readable only by their owner', () => {
    const DATA_DIR = join(folder, 'new')

    const first = withSecrets(readConfig({ DATA_DIR }))

    expect(withSecrets(readConfig({ DATA_DIR }))).toEqual(first)
    expect(new Set([first.SVC_SERVICES_TOKEN, first.HOOKS_TOKEN, first.IDENTITY_SECRET]).size).toBe(3)
    expect(first.HOOKS_TOKEN.length).toBeGreaterThanOrEqual(32)
    expect(statSync(join(DATA_DIR, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  test('does not change secrets that are set', () => {
    const token = 'a-token-of-enough-length'

    const config = withSecrets(readConfig({ DATA_DIR: join(folder, 'set'), SVC_SERVICES_TOKEN: token }))

    expect(config.SVC_SERVICES_TOKEN).toBe(token)
    expect(readFileSync(join(folder, 'set', 'secrets.json'), 'utf8')).not.toContain(token)
  })

  test('in production generates nothing, and names the missing secrets', () => {
    const DATA_DIR = join(folder, 'production')
    const production = (environment: Record<string, string> = {}) =>
      problems(() => withSecrets(readConfig({ DATA_DIR, NODE_ENV: 'production', ...environment })))

    expect(production()).toEqual(
      ['SVC_SERVICES_TOKEN', 'HOOKS_TOKEN', 'IDENTITY_SECRET'].map(name => `${name}: must be set when NODE_ENV is production`),
    )
    expect(
      production({ SVC_SERVICES_TOKEN: 'a-token-of-enough-length', HOOKS_ENABLED: '0', IDENTITY_SECRET: 'another-of-enough-length' }),
    ).toEqual([])
  })
})

test('--help describes every setting on a line of its own', () => {
  const lines = describeSettings().split('\n')

  expect(lines.map(line => line.trim().split(' ')[0])).toEqual(Object.keys(settings))
})
