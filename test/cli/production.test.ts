// Settings that stop a start in production, with a sentence for each, and the effect of an empty signing key.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { requireProduction } from '../../src/cli/operator/production.ts'
import { ConfigError, readConfig } from '../../src/config/environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'rolocom-production-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const write = (content: unknown) => {
  const path = join(folder, `${++files}.json5`)
  writeFileSync(path, JSON.stringify(content))
  return path
}
const whole = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://crm.example',
  SMTP_URL: 'smtp://mail.example:25',
  IDENTITY_SECRET: 'a-secret-of-more-than-24-bytes',
}
const problemsOf = (environment: Record<string, string | undefined>): readonly string[] => {
  try {
    requireProduction(readConfig(environment))
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(problem => problem.slice(0, problem.indexOf(':')))
    throw error
  }
}
const hmac = (scheme: string, secret: string) => ({
  hooks: { mappings: [{ id: 'shop', messageTemplate: 'a', auth: { hmac: { scheme, header: 'x-sign', secret } } }] },
})

test('in production it wants a mail server for links, https, and long signing secrets; elsewhere nothing of it', () => {
  expect(problemsOf(whole)).toEqual([])
  expect(problemsOf({ ...whole, SMTP_URL: '' })).toEqual(['SMTP_URL'])
  expect(problemsOf({ ...whole, SMTP_URL: '', MAIL_LINKS: '0' })).toEqual([])
  expect(problemsOf({ ...whole, SMTP_URL: '', ROLES: 'worker' })).toEqual([])
  expect(problemsOf({ ...whole, SMTP_URL: '', IDENTITY_ISSUER: 'https://id.example', IDENTITY_AUDIENCE: 'crm' })).toEqual([])
  expect(problemsOf({ ...whole, PUBLIC_URL: '' })).toEqual(['PUBLIC_URL'])
  expect(problemsOf({ ...whole, PUBLIC_URL: 'http://crm.example' })).toEqual(['PUBLIC_URL'])
  expect(problemsOf({ ...whole, PUBLIC_URL: 'http://127.0.0.1:4000' })).toEqual([])
  expect(problemsOf({ ...whole, IDENTITY_SECRET: 'twenty-three-bytes-long' })).toEqual(['IDENTITY_SECRET'])
  expect(problemsOf({ PUBLIC_URL: 'http://crm.example', IDENTITY_SECRET: 'sixteen-bytes-16' })).toEqual([])
})

test('the secret of a hook counts by the bytes that it decodes to', () => {
  const configured = (content: unknown) => problemsOf({ ...whole, GATEWAY_CONFIG: write(content) })
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

  expect(configured(hmac('standard-webhooks', of(24)))).toEqual([])
  expect(configured(hmac('standard-webhooks', of(23)))).toEqual(['auth.hmac.secret of the mapping shop in GATEWAY_CONFIG'])
  expect(configured(hmac('hex', 'x'.repeat(23)))).toEqual(['auth.hmac.secret of the mapping shop in GATEWAY_CONFIG'])
  expect(configured({ hooks: { presets: ['github'], presetSecrets: { github: 'x'.repeat(20) } } })).toEqual([
    'hooks.presetSecrets.github in GATEWAY_CONFIG',
  ])
})

test('a secret that decodes to nothing stops every start', () => {
  const start = () => readConfig({ GATEWAY_CONFIG: write(hmac('standard-webhooks', 'whsec_!!!!')) })

  expect(start).toThrow('hooks.mappings[0].auth.hmac.secret: decodes to no bytes')
})
