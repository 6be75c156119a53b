// Recipes with each provider, against a local stand-in for its service.

import type { Json } from '../../support/app.ts'
import { keepOpen } from '../../support/open.ts'
import { startNameServer } from '../name-server.ts'
import { enriched, suggestionsOf } from '../outcome.ts'
import { startEnriching, startSource } from '../source.ts'

/** The server of a file, its source of answers, and a run of a recipe. */
export async function openProviders() {
  const recipe = (name: string, steps: Json[], more: Json = {}) => ({ name, version: 1, title: name, steps, ...more })
  const all = [
    'name',
    'description',
    'email',
    'phone',
    'city',
    'region',
    'country',
    'logo_url',
    'linkedin_url',
    'twitter_url',
    'github_url',
    'website',
    'employee_count',
  ]

  const source = await keepOpen(startSource())
  const names = await keepOpen(
    startNameServer({ 'engines.example': 'mx.engines.example', 'mute.example': '.', 'gmail.com': 'mx.gmail.com' }),
  )
  const dns = { dns_servers: [names.address] }
  const fields = ['company_domain', 'first_name', 'last_name', 'email']
  const people = ['avatar_url', 'full_name', 'first_name', 'last_name', 'job_title', 'company_name', 'timezone', 'linkedin_url']
  const site = { id: 'site', provider: 'web', fields: all, with: { addresses: [`${source.url}/site/{{domain}}`] } }
  const app = await keepOpen(
    startEnriching(
      [
        recipe('email', [{ id: 'email', provider: 'email', fields, with: dns }]),
        recipe('email-offline', [{ id: 'email', provider: 'email', fields, with: { dns_servers: ['127.0.0.1:9'] } }]),
        recipe('phone', [{ id: 'phone', provider: 'phone', fields: ['phone', 'country'] }]),
        recipe('gravatar', [{ id: 'gravatar', provider: 'gravatar', fields: people, with: { base_url: `${source.url}/v3` } }]),
        recipe('web', [site]),
        recipe('inside', [{ id: 'site', provider: 'web', fields: all, with: { addresses: ['http://{{domain}}/'] } }]),
        recipe('paid', [
          {
            id: 'paid',
            provider: 'http',
            needs: ['email'],
            fields: ['job_title', 'country', 'linkedin_url', 'email'],
            timeout_seconds: 3,
            with: {
              method: 'POST',
              url: `${source.url}/paid/{{target.id}}`,
              query: { email: '{{email}}', phone: '{{phone}}' },
              headers: { 'X-Api-Key': '{{secrets.SOURCE}}' },
              body: { name: 'Dr. {{first_name}}', nested: [{ of: '{{target.kind}}' }] },
              found: 'person',
              confidence: { path: 'person.score', out_of: 10 },
              map: {
                job_title: 'person.jobs[0].title',
                country: 'person.country',
                linkedin_url: { path: 'person.linkedin', prefix: 'https://' },
                email: {
                  path: 'person.mail.address',
                  confidence: 0.99,
                  verification: { path: 'person.mail.state', words: { accept_all: 'catch_all' } },
                },
              },
            },
          },
        ]),
        recipe('unpaid', [
          {
            id: 'unpaid',
            provider: 'http',
            fields: ['city'],
            with: { url: `${source.url}/x`, headers: { A: '{{secrets.NOT_THERE}}' }, map: { city: 'city' } },
          },
        ]),
        recipe('waterfall', [
          {
            id: 'first',
            provider: 'http',
            fields: ['city', 'job_title'],
            with: { url: `${source.url}/one`, confidence: { path: 'sure', out_of: 1 }, map: { city: 'city', job_title: 'job' } },
          },
          {
            id: 'second',
            provider: 'http',
            fields: ['city', 'job_title'],
            with: { url: `${source.url}/two`, confidence: 0.9, map: { city: 'city', job_title: 'job' } },
          },
          {
            id: 'third',
            provider: 'http',
            fields: ['city', 'job_title'],
            if: { city: 'Rome' },
            with: { url: `${source.url}/three`, map: { city: 'city' } },
          },
          {
            id: 'fourth',
            provider: 'http',
            fields: ['region'],
            if: { region: true },
            with: { url: `${source.url}/three`, map: { region: 'x' } },
          },
        ]),
        recipe(
          'read',
          [site, { id: 'read', provider: 'llm', fields: ['industry', 'founded'] }].map((step: Json) => ({ ...step })),
          {},
        ),
      ],
      {
        RECIPE_SECRET_SOURCE: 'secret-marked-7',
        // Not reachable for requests to addresses from users; the model's address is the operator's choice.
        ENRICHMENT_LLM_URL: `${source.url.replace('127.0.0.1', '127.0.0.3')}/llm/v1`,
        ENRICHMENT_LLM_MODEL: 'm',
        ENRICHMENT_LLM_KEY: 'llm-marked-8',
      },
    ),
  )
  const key = (await app.given.apiKey()).key

  let count = 0
  /** Runs a recipe for a target of which only the options are known. */
  async function run(name: string, options: Json, kind = 'thing') {
    const job = await enriched(app, key, { target: { host_app: 'test', id: `t-${++count}`, kind }, recipe: name, options })
    const made = await suggestionsOf(app, key, job.job_id)
    return { job, made, values: Object.fromEntries(Object.entries(made).map(([field, { proposed_value: value }]) => [field, value])) }
  }

  return { source, app, key, run }
}
