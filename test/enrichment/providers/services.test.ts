// The providers that know their service: email, phone, gravatar and web.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../support/app.ts'
import { openProviders } from './given.ts'

const { source, run } = await openProviders()

describe('email', () => {
  test('derives company domain and name from an address whose domain accepts mail', async () => {
    const { job, values, made } = await run('email', { email: 'Ada.Lovelace@Engines.example' })

    expect(values).toEqual({ company_domain: 'engines.example', first_name: 'Ada', last_name: 'Lovelace' })
    expect(made.company_domain).toMatchObject({ confidence: 0.9, verification: 'probable', evidence: 'Ada.Lovelace@Engines.example' })
    expect(job.steps[0].detail).toEqual({
      syntax: true,
      free_mail: false,
      disposable: false,
      role: false,
      takes_mail: true,
      mail_servers: ['mx.engines.example'],
    })
  })

  test.each([
    ['ada@gmail.com', { free_mail: true, takes_mail: true }, {}],
    ['info@engines.example', { role: true }, { company_domain: 'engines.example' }],
    ['ada@mailinator.com', { disposable: true }, {}],
    ['ada@mute.example', { takes_mail: false }, {}],
    ['ada@nowhere.example', { takes_mail: false }, {}],
    ['ada@gmial.com', { takes_mail: false }, {}],
    ['ada@gmal.com', { takes_mail: false }, { email: 'ada@gmail.com' }],
    ['not an address', { syntax: false }, {}],
  ])('%s', async (email, detail, expected) => {
    const { job, values } = await run('email', { email })

    expect(job.steps[0].detail).toMatchObject(detail)
    expect(values).toEqual(expected)
  })

  test('derives facts without the network, and reports the failed lookup', async () => {
    const { job, values } = await run('email-offline', { email: 'ada.lovelace@engines.example' })

    expect(job).toMatchObject({ status: 'completed', result: 'partial' })
    expect(job.steps[0].error).toMatch(/mail servers of engines.example could not be looked up/)
    expect(values).toMatchObject({ company_domain: 'engines.example', first_name: 'Ada' })
  }, 20_000)
})

describe('phone', () => {
  test.each([
    [
      { phone: '020 7946 0958', country: 'GB' },
      { phone: '+442079460958', country: 'GB' },
      { valid: true, phone_type: 'fixed_line' },
    ],
    [{ phone: '+49 151 23456789' }, { phone: '+4915123456789', country: 'DE' }, { valid: true, phone_type: 'mobile' }],
    [{ phone: '+1 555' }, {}, { valid: false }],
    [{ phone: '020 7946 0958' }, {}, { valid: false }],
  ])('%j', async (options, expected, detail) => {
    const { job, values } = await run('phone', options)

    expect(values).toEqual(expected)
    expect(job.steps[0].detail).toMatchObject(detail)
  })
})

describe('gravatar', () => {
  test('reads the public profile', async () => {
    const hash = createHash('sha256').update('ada@engines.example').digest('hex')
    source.says(`/v3/profiles/${hash}`, {
      profile_url: 'https://gravatar.com/ada',
      avatar_url: 'https://0.gravatar.com/avatar/x',
      display_name: 'Ada L.',
      job_title: 'Analyst',
      company: 'Engines',
      timezone: 'Europe/London',
      verified_accounts: [{ service_type: 'linkedin', url: 'https://www.linkedin.com/in/ada' }],
    })

    const { values, made } = await run('gravatar', { email: ' ADA@engines.example ' })

    expect(values).toEqual({
      avatar_url: 'https://0.gravatar.com/avatar/x',
      full_name: 'Ada L.',
      job_title: 'Analyst',
      company_name: 'Engines',
      timezone: 'Europe/London',
      linkedin_url: 'https://www.linkedin.com/in/ada',
    })
    expect(made.job_title.source_url).toBe('https://gravatar.com/ada')
  })

  test('no profile is no data; a failing service fails only its step', async () => {
    const none = await run('gravatar', { email: 'nobody@engines.example' })
    const hash = createHash('sha256').update('down@engines.example').digest('hex')
    source.says(`/v3/profiles/${hash}`, {}, 500)
    const failing = await run('gravatar', { email: 'down@engines.example' })

    expect([none.job.result, none.job.steps[0].status]).toEqual(['no_data', 'no_data'])
    expect(failing.job).toMatchObject({ status: 'failed', result: null, error: 'gravatar: Gravatar answered 500' })
    expect(failing.job.steps[0]).toMatchObject({ status: 'failed', error: 'Gravatar answered 500' })
  })
})

describe('web', () => {
  const page = (body: string) => (_asked: unknown, res: Json) => void res.writeHead(200, { 'content-type': 'text/html' }).end(body)

  test('reads schema.org, OpenGraph and links', async () => {
    const company = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'WebSite', name: 'Site' },
        {
          '@type': ['Corporation'],
          name: 'Analytical Engines Ltd',
          telephone: '+44 20 7946 0958',
          sameAs: ['https://www.linkedin.com/company/engines', 'https://x.com/engines'],
          address: { '@type': 'PostalAddress', addressLocality: 'London', addressCountry: 'United Kingdom' },
          logo: '/logo.png',
          numberOfEmployees: { '@type': 'QuantitativeValue', value: '120' },
        },
      ],
    }
    source.does(
      '/site/engines.example',
      page(
        `<html><head><title>Home | Engines</title><meta name="description" content="We build &amp; repair engines"><script type="application/ld+json">${JSON.stringify(company)}</script>
         <script>var x = "<p>no</p>"</script></head><body><a href="https://github.com/engines/">code</a> \0 text</body></html>`,
      ),
    )

    const { values, job } = await run('web', { company_domain: 'https://www.engines.example/about' }, 'company')

    expect(values).toEqual({
      name: 'Analytical Engines Ltd',
      description: 'We build & repair engines',
      phone: '+442079460958',
      city: 'London',
      country: 'GB',
      logo_url: `${source.url}/logo.png`,
      linkedin_url: 'https://www.linkedin.com/company/engines',
      twitter_url: 'https://x.com/engines',
      github_url: 'https://github.com/engines',
      website: source.url,
      employee_count: 120,
    })
    expect(job.steps[0].detail).toEqual({ url: `${source.url}/site/engines.example`, title: 'Home | Engines' })
  })

  test('skips free mail domains; responses that are no page, too large or too deep fail only the step', async () => {
    source.does('/site/deep.example', page('<div>'.repeat(200_000)))
    source.does('/site/large.example', page('x'.repeat(2_000_000)))
    source.says('/site/json.example', {})

    const free = await run('web', { company_domain: 'gmail.com' })
    const started = Date.now()
    const deep = await run('web', { company_domain: 'deep.example' })
    // A parser with quadratic cost in the depth takes a minute.
    expect(Date.now() - started).toBeLessThan(15_000)
    const large = await run('web', { company_domain: 'large.example' })
    const none = await run('web', { company_domain: 'json.example' })

    expect(free.job.steps[0]).toMatchObject({ status: 'skipped', error: 'free_mail_domain' })
    expect(deep.job.steps[0].status).toBe('no_data')
    expect(large.job.steps[0]).toMatchObject({ status: 'failed', error: 'The answer is larger than 1048576 bytes' })
    expect(none.job.steps[0]).toMatchObject({ status: 'failed', error: 'json.example answered with no web page' })
  })

  const jsonLd = (json: string) => page(`<html><head><title>Many</title><script type="application/ld+json">${json}</script></head></html>`)
  const list = (length: number, item: string) => `[${Array(length).fill(item).join()}]`
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  // Taking each list from the front of a queue needs more than five seconds for the first page.
  test.each([
    ['lists of lists', jsonLd(list(100, list(100, list(33, '[]'))))],
    ['a hundred thousand lists', jsonLd(`[${'[],'.repeat(100_000)}[]]`)],
    ['half a million values', jsonLd(`[${'1,'.repeat(400_000)}1]`)],
    ['lists a thousand deep', jsonLd(nested(1000))],
    ['lists 400,000 deep', jsonLd(nested(400_000))],
    [
      'a thousand of them',
      page(`<title>Many</title>${`<script type="application/ld+json">[${'[0],'.repeat(200)}0]</script>`.repeat(1000)}`),
    ],
    [
      'a hundred thousand phone numbers',
      page(`<title>Many</title>${'<a href="tel:1">'.repeat(900)}${'<a href="tel:1"></a>'.repeat(40_000)}`),
    ],
    ['an attribute for every byte', page(`<title>Many</title><p ${Array.from({ length: 150_000 }, (_, n) => n.toString(36)).join(' ')}>`)],
  ])('reads a page with %s in time that its size explains', async (_what, answer) => {
    source.does('/site/many.example', answer)
    const started = process.cpuUsage()

    const { values } = await run('web', { company_domain: 'many.example' }, 'company')

    const { user } = process.cpuUsage(started)
    expect(values.name).toBe('Many')
    expect(user / 1e6).toBeLessThan(3)
  })

  test.each([
    '10.0.0.1',
    '169.254.169.254',
    'localhost',
    '127.0.0.2',
    '[::1]',
    '2130706434',
    'evil.example@127.0.0.1',
    '0x7f000002',
  ])('sends no request to private addresses: %s', async domain => {
    const { job } = await run('inside', { company_domain: domain })

    expect(['failed', 'completed']).toContain(job.status)
    expect(['failed', 'no_data']).toContain(job.steps[0].status)
    expect(job.suggestion_count).toBe(0)
  })
})
