// Recipe files: validation at start, versions and settings.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { ConfigError, readConfig } from '../../src/config/environment.ts'
import { keepRecipes, readRecipes } from '../../src/enrichment/recipes/recipe.ts'
import { type Json, openApp, startApp, type TestApp } from '../support/app.ts'
import { ended, enriched } from './outcome.ts'
import { startEnriching } from './source.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'recipes-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (file: string, content: unknown) =>
  writeFileSync(path.join(folder, file), typeof content === 'string' ? content : stringify(content))
const good = { name: 'own', version: 1, title: 'Own', steps: [{ id: 'a', provider: 'email', fields: ['company_domain'] }] }

describe('recipes', () => {
  test('the built-in ones are valid', () => {
    expect([...readRecipes().keys()]).toEqual(['company', 'contact', 'generic', 'hunter', 'people-data-labs'])
  })

  test('all problems of the files of a folder are reported at once', () => {
    write('broken.yaml', 'name: [')
    write('fields.yaml', {
      ...good,
      name: 'Fields',
      version: 0,
      colour: 'red',
      steps: [{ id: 'a', provider: 'magic', fields: ['No Field'] }],
    })
    write('options.yaml', {
      ...good,
      name: 'options',
      steps: [
        { id: 'a', provider: 'http', fields: ['city'], with: { url: 'file:///etc/passwd', map: { city: 'a b' } } },
        { id: 'a', provider: 'email', fields: ['city'], with: { server: 'x' } },
      ],
    })
    write('twice.yaml', { ...good, name: 'options' })

    const problems = (() => {
      try {
        readRecipes(folder)
        return []
      } catch (error) {
        return error instanceof ConfigError ? error.problems : [String(error)]
      }
    })()

    const said = problems.join('\n')
    for (const part of [
      /Recipe broken.yaml: /,
      /fields.yaml: name must be lower-case/,
      /fields.yaml: version/,
      /fields.yaml: .*colour/,
      /fields.yaml: steps.0.provider is none of the providers/,
      /fields.yaml: steps.0.fields.0 is no name of a field/,
      /options.yaml: two steps have one id/,
      /options.yaml: step a: with.url must begin with http/,
      /options.yaml: step a: with.*server/,
      /twice.yaml: the name options is taken/,
    ])
      expect(said).toMatch(part)
  })

  test('a missing folder prevents the start', () => {
    expect(() => readRecipes(path.join(folder, 'nowhere'))).toThrow(/cannot be read/)
  })
})

describe('a recipe that was changed', async () => {
  const app = await openApp()

  test('needs a higher version, because queued jobs run the version they were queued with', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'recipes-'))
    const services = (version: number, title: string) => {
      writeFileSync(path.join(own, 'own.yaml'), stringify({ ...good, version, title }))
      return { ...app.services, config: { ...app.services.config, ENRICHMENT_RECIPES: own } }
    }
    try {
      await keepRecipes(services(1, 'One'))
      await keepRecipes(services(1, 'One'))

      await expect(keepRecipes(services(1, 'Other'))).rejects.toThrow(/give it a higher version/)
      await keepRecipes(services(2, 'Other'))
    } finally {
      rmSync(own, { recursive: true })
    }
  })
})

describe('a job that was queued before its recipe changed', () => {
  test('runs the version it was queued with', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'recipes-'))
    const write = (version: number, provider: string, field: string) =>
      writeFileSync(path.join(own, 'own.yaml'), stringify({ ...good, version, steps: [{ id: provider, provider, fields: [field] }] }))
    write(1, 'phone', 'country')
    const before = await startApp({ env: { ENRICHMENT_RECIPES: own } })
    try {
      const { key } = await before.given.apiKey()
      const queue = async (at: TestApp, id: string) => {
        const body = { target: { host_app: 'a', id, kind: 'x' }, recipe: 'own', options: { phone: '+442079460958' } }
        return (await at.rest('POST', '/api/enrich/v1/jobs', { key, body })).body.job_id
      }
      const old = await queue(before, 'old')
      write(2, 'email', 'company_domain')
      const after = await startApp({ database: before.database, env: { ENRICHMENT_RECIPES: own, ROLES: 'api,worker' } })
      try {
        const [one, two] = [await ended(after, key, old), await ended(after, key, await queue(after, 'new'))]

        expect([one.recipe_version, one.steps.map(({ step }: Json) => step), one.suggestion_count]).toEqual([1, ['phone'], 1])
        expect([two.recipe_version, two.steps.map(({ step }: Json) => step)]).toEqual([2, ['email']])
      } finally {
        await after.close()
      }
    } finally {
      await before.close()
      rmSync(own, { recursive: true })
    }
  })
})

test('a job whose paid step the organization may not use does not say that there is no data', async () => {
  const url = 'http://127.0.0.1:9/'
  const paid = { id: 'paid', provider: 'http', fields: ['city'], with: { url, headers: { A: '{{secrets.OWN}}' }, map: { city: 'city' } } }
  const phone = { id: 'phone', provider: 'phone', fields: ['country'] }
  const app = await startEnriching([{ ...good, steps: [phone, paid] }], { RECIPE_SECRET_OWN: 'secret', PAID_PROVIDER_ORGANIZATIONS: '' })
  try {
    const { key } = await app.given.apiKey()
    const job = (id: string, options: Json) =>
      enriched(app, key, { target: { host_app: 'a', id, kind: 'x' }, recipe: 'own', options: { ...options, name: 'x' } })

    expect(await job('1', {})).toMatchObject({ status: 'failed', result: null, error: 'paid: organization_not_allowed' })
    expect(await job('2', { phone: '+442079460958' })).toMatchObject({ status: 'completed', result: 'partial', error: null })
  } finally {
    await app.close()
  }
})

describe('settings of recipes', () => {
  test('secrets are read by their prefix, and the URL of a model requires its name', () => {
    const config = readConfig({
      RECIPE_SECRET_HUNTER: 'h',
      RECIPE_SECRET_: 'x',
      RECIPE_SECRET_EMPTY: '',
      RECIPE_SECRET_BLANK: ' \n',
      OTHER: 'y',
    })

    expect(config.recipeSecrets).toEqual({ HUNTER: 'h' })
    expect(() => readConfig({ ENRICHMENT_LLM_URL: 'https://llm.example/v1' })).toThrow(/ENRICHMENT_LLM_MODEL/)
  })
})
