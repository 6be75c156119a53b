// The gateway's configuration file: valid values, and the messages about invalid ones.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how the file names variables.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, hookTokens, readConfig, takesHooks } from '../../src/config/environment.ts'
import { GatewaySettingsError, gatewaySettings } from '../../src/config/gateway/file.ts'
import { release } from '../../src/config/release.ts'
import { warnUnconfigured } from '../../src/gateway/unconfigured.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolocom-settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function problemsOf(file: unknown, environment: Record<string, string> = {}): readonly string[] {
  try {
    gatewaySettings(file, { environment, folder, name: 'gateway.json5' })
    return []
  } catch (error) {
    if (error instanceof GatewaySettingsError) return error.problems
    throw error
  }
}

test('an empty file has all defaults', () => {
  const settings = gatewaySettings({})

  expect({ path: settings.hooks.path, maxBodyBytes: settings.hooks.maxBodyBytes, allowQueryToken: settings.hooks.allowQueryToken }).toEqual(
    {
      path: '/hooks',
      maxBodyBytes: 262_144,
      allowQueryToken: true,
    },
  )
  expect({ maxConcurrent: settings.agents.maxConcurrent, everyMinutes: settings.heartbeat.everyMinutes }).toEqual({
    maxConcurrent: 4,
    everyMinutes: 30,
  })
  expect(settings.lastChannelFallback).toBe('whatsapp')
  // A model may read the text of hooks, so runs get no access to other data by default.
  expect(settings.hooks.scopes).toEqual([])
})

test('every string may come from the environment or a file', () => {
  writeFileSync(join(folder, 'token.txt'), 'a-token-from-a-file-0123\n')
  const settings = gatewaySettings(
    {
      hooks: { token: { file: 'token.txt' } },
      channels: { telegram: { botToken: '${TELEGRAM}', baseUrl: 'http://${HOST}:80' } },
      agents: { list: { main: { instructions: 'Costs are in $${CURRENCY}.' } } },
    },
    { environment: { TELEGRAM: '1:abc', HOST: 'localhost' }, folder },
  )

  expect(settings.hooks.tokens).toEqual(['a-token-from-a-file-0123'])
  expect(settings.channels.telegram).toMatchObject({ botToken: '1:abc', baseUrl: 'http://localhost:80' })
  expect(settings.agents.list.main?.instructions).toBe('Costs are in ${CURRENCY}.')
})

test.each([
  [{ hokks: {} }, 'gateway.json5: the file: unknown setting "hokks"'],
  [{ hooks: { maxBytes: 5 } }, 'gateway.json5: hooks: unknown setting "maxBytes"'],
  [{ hooks: { token: 'short' } }, /hooks\.token: /],
  [{ hooks: { path: '/' } }, 'gateway.json5: hooks.path: must look like /hooks'],
  [{ hooks: { path: '/api/hooks' } }, 'gateway.json5: hooks.path: "/api/hooks" is served by another part of the server'],
  [{ hooks: { presets: ['gmial'] } }, /hooks\.presets\[0\]: .*gmail/],
  [
    { hooks: { enabled: false, mappings: [{ messageTemplate: 'a' }] } },
    'gateway.json5: hooks.mappings: mean nothing when hooks.enabled is false',
  ],
  [{ agents: { default: 'triage' } }, 'gateway.json5: agents.default: "triage" is not in agents.list'],
  [{ models: { default: 'openai/gpt' } }, /models\.default: "openai\/gpt" is not a configured model or alias/],
  [{ models: { aliases: { fast: 'openai/gpt' } } }, /models\.aliases\.fast: /],
  [{ models: { allow: ['fast'] } }, /models\.default: "offline\/summary" is not one of the allowed models: fast/],
  [
    { models: { providers: { local: {} } } },
    'gateway.json5: models.providers.local.baseUrl: is required for a provider of the type openai-compatible',
  ],
  [{ models: { providers: { offline: { baseUrl: 'http://x' } } } }, /models\.providers\.offline: is the built-in model/],
  [{ heartbeat: { everyMinutes: -1 } }, /heartbeat\.everyMinutes: /],
  [{ heartbeat: { deliver: false, to: '1' } }, 'gateway.json5: heartbeat.to: means nothing when heartbeat.deliver is false'],
  [
    { agents: { pricePerRun: 2 }, hooks: { creditCeiling: 1 } },
    'gateway.json5: hooks.creditCeiling: must be at least 2, which is what a run costs (agents.pricePerRun)',
  ],
  [
    { agents: { pricePerThousandTokens: 1 } },
    'gateway.json5: hooks.creditCeiling: must be more than 0, since tokens cost as well (agents.pricePerThousandTokens)',
  ],
  [
    { agents: { pricePerRun: 2 }, hooks: { creditCeiling: 5 }, heartbeat: { creditCeiling: 1 } },
    /heartbeat\.creditCeiling: must be at least 2/,
  ],
  [{ agents: { pricePerRun: 0.0000001 } }, /agents\.pricePerRun: must have at most 6 decimals/],
  [{ channels: { fax: {} } }, 'gateway.json5: channels: unknown setting "fax"'],
  [{ channels: { telegram: {} } }, /channels\.telegram\.botToken: /],
  [{ lastChannelFallback: 'fax' }, /lastChannelFallback: /],
  [
    { channels: { slack: { botToken: '${MISSING}' } } },
    'gateway.json5: channels.slack.botToken: the environment variable MISSING is not set',
  ],
  [{ channels: { slack: { botToken: { file: 'missing.txt' } } } }, /channels\.slack\.botToken: ENOENT/],
])('%j stops the start', (file, sentence) => {
  expect(problemsOf(file)).toEqual(expect.arrayContaining([typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)]))
})

test('a file of a newer release is read without the settings that this one does not know, with a warning for each', () => {
  const file = {
    version: '99.1.0',
    hooks: { maxBodyBytes: 2048, replyPolicy: 'strict' },
    agents: { list: { main: { voice: 'alto', instructions: 'Be brief.' } } },
    moods: {},
  }

  const { hooks, agents, warnings } = gatewaySettings(file, { name: 'gateway.json5' })

  expect([hooks.maxBodyBytes, agents.list]).toEqual([2048, { main: { instructions: 'Be brief.' } }])
  const why = `is ignored: the file is of a newer release than this one (${release})`
  expect(warnings.toSorted()).toEqual([
    `gateway.json5: agents.list.main: unknown setting "voice" ${why}`,
    `gateway.json5: hooks: unknown setting "replyPolicy" ${why}`,
    `gateway.json5: the file: unknown setting "moods" ${why}`,
  ])
})

test.each([release, '0.0.1'])('an unknown setting in a file of release %s prevents the start', version => {
  expect(() => gatewaySettings({ version, moods: {} }, { name: 'gateway.json5' })).toThrow(
    'gateway.json5: the file: unknown setting "moods"',
  )
})

test('an invalid setting in a newer file prevents the start', () => {
  expect(() => gatewaySettings({ version: '99.1.0', hooks: { path: '/', moods: 1 } }, { name: 'g' })).toThrow(
    /^g: hooks\.path: must look like \/hooks$/,
  )
})

describe('an invalid mapping is disabled, the others work', () => {
  test.each([
    [{ action: 'sing' }, /action: /],
    [{ messageTemplat: 'a' }, /unknown setting "messageTemplat"/],
    [{}, /action "agent" needs messageTemplate or transform/],
    [{ action: 'wake' }, /action "wake" needs textTemplate or transform/],
    [{ action: 'wake', textTemplate: 'a', deliver: true }, /deliver means nothing for action "wake"/],
    [{ messageTemplate: 'a', textTemplate: 'b' }, /textTemplate means nothing for action "agent"/],
    [{ messageTemplate: 'a', match: { path: 'wake' } }, /match\.path "wake" is served by the gateway itself/],
    [{ messageTemplate: 'a', match: { path: 'a b' } }, /match\.path "a b" is no path/],
    [{ messageTemplate: 'a', model: 'gpt' }, /model: "gpt" is not a configured model/],
    [{ messageTemplate: 'a', agentId: 'nobody' }, /agentId: "nobody" is not in agents\.list/],
    [{ messageTemplate: 'a', timeoutSeconds: 0 }, /timeoutSeconds: /],
    [{ messageTemplate: 'a', auth: {} }, /auth: takes either token or hmac/],
    [{ messageTemplate: 'a', auth: { token: 'short' } }, /auth\.token: must have at least 16 characters/],
    [
      { messageTemplate: 'a', auth: { hmac: { secret: 'long-enough', scheme: 'hex' } } },
      /auth\.hmac\.header: is required for the scheme hex/,
    ],
    [{ transform: { module: 'a.ts' } }, /transform: hooks\.transformsDir is not set/],
    ['mapping', /expected object/],
  ])('%j', (one, sentence) => {
    const { hooks, warnings } = gatewaySettings({ hooks: { mappings: [one, { id: 'good', messageTemplate: 'a' }] } })

    expect(hooks.mappings.map(({ id }) => id)).toEqual(['good'])
    expect(warnings).toEqual([expect.stringMatching(sentence)])
  })
})

describe('in the whole configuration', () => {
  const write = (file: unknown) => {
    const path = join(folder, `${Math.random()}.json5`)
    writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
    return path
  }

  test('comments and trailing commas are accepted, other syntax errors name their line', () => {
    expect(readConfig({ GATEWAY_CONFIG: write('{ // hooks\n hooks: { path: "/in", }, }') }).gateway.hooks.path).toBe('/in')
    expect(() => readConfig({ GATEWAY_CONFIG: write('{ hooks: ') })).toThrow(ConfigError)
    expect(() => readConfig({ GATEWAY_CONFIG: join(folder, 'missing.json5') })).toThrow(
      /^GATEWAY_CONFIG: \S+ cannot be read \(there is no such file\)$/,
    )
  })

  test('the environment decides whether hooks are enabled, then the file, then the database', () => {
    const off = write({ hooks: { enabled: false } })
    const on = write({ hooks: { enabled: true } })
    const url = 'postgresql://x@localhost/x'

    expect(takesHooks(readConfig({}))).toBe(true)
    expect(takesHooks(readConfig({ DATABASE_URL: url }))).toBe(false)
    expect(takesHooks(readConfig({ DATABASE_URL: url, GATEWAY_CONFIG: on }))).toBe(true)
    expect(takesHooks(readConfig({ GATEWAY_CONFIG: off }))).toBe(false)
    expect(takesHooks(readConfig({ GATEWAY_CONFIG: off, HOOKS_ENABLED: '1' }))).toBe(true)
  })

  test('the hook token must differ from all other secrets', () => {
    const token = 'the-same-secret-everywhere'
    const channel = { channels: { telegram: { botToken: token } } }
    const mapping = { hooks: { mappings: [{ messageTemplate: 'a', auth: { token } }] } }

    expect(() => readConfig({ HOOKS_TOKEN: token, SVC_SERVICES_TOKEN: token })).toThrow('HOOKS_TOKEN: must differ from every other secret')
    expect(() => readConfig({ HOOKS_TOKEN: token, GATEWAY_CONFIG: write(channel) })).toThrow('HOOKS_TOKEN: must differ')
    expect(() => readConfig({ HOOKS_TOKEN: token, GATEWAY_CONFIG: write(mapping) })).toThrow('HOOKS_TOKEN: must differ')
    expect(() => readConfig({ HOOKS_TOKEN: token, DATABASE_URL: `postgresql://x:${token}@localhost/x` })).toThrow(
      'HOOKS_TOKEN: must differ',
    )
    expect(() => readConfig({ IDENTITY_SECRET: token, GATEWAY_CONFIG: write({ hooks: { token } }) })).toThrow(
      'hooks.token in GATEWAY_CONFIG',
    )
    expect(hookTokens(readConfig({ HOOKS_TOKEN: `${token}, ${token}-next` }))).toEqual([token, `${token}-next`])
  })
})

test('names that refer to nothing are reported, each with its setting', () => {
  expect(warnUnconfigured(gatewaySettings({}))).toEqual([
    'no channel is configured: replies of agents are kept, and sent nowhere (channels in GATEWAY_CONFIG)',
  ])
  const settings = gatewaySettings({
    hooks: {
      presets: ['github', 'stripe', 'gmail'],
      presetSecrets: { stripe: 'a-secret-of-stripe' },
      mappings: [
        { id: 'shop', messageTemplate: 'a', channel: 'slack' },
        { id: 'mail', messageTemplate: 'a', channel: 'telegram' },
      ],
    },
    heartbeat: { channel: 'signal' },
    channels: { telegram: { botToken: '1:abc' } },
  })
  expect(warnUnconfigured(settings)).toEqual([
    'hooks.presetSecrets.github is not set: github signs, and does not send the hook token',
    'hooks.mappings shop: the channel slack is not configured, so its replies are undeliverable (channels.slack)',
    'heartbeat.channel: the channel signal is not configured, so its replies are undeliverable (channels.signal)',
    'lastChannelFallback: the channel whatsapp is not configured, so its replies are undeliverable (channels.whatsapp)',
  ])
  expect(warnUnconfigured(gatewaySettings({ channels: { telegram: { botToken: '1:abc' } }, lastChannelFallback: 'telegram' }))).toEqual([])
})
