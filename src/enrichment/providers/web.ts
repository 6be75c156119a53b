// web: facts about a company from the home page of its domain.

import { z } from 'zod'
import { cutText, shorten } from '../../kernel/input/cut.ts'
import { domain as readDomain } from '../../kernel/input/fields.ts'
import { isFreeMail } from '../../kernel/input/free-mail.ts'
import { countryCode } from './country-name.ts'
import { ask, refusalOf, StepError } from './outgoing.ts'
import type { PageFacts } from './page-facts.ts'
import { type Finding, nothing, type Provider, skip, textOf } from './provider.ts'

const options = z.strictObject({
  /** URLs of the home page of {{domain}}, tried in order. */
  addresses: z.array(z.string().min(1)).min(1).default(['https://{{domain}}/', 'http://{{domain}}/']),
})

const socials = {
  linkedinUrl: /^https?:\/\/([a-z]+\.)?linkedin\.com\/company\/[^/?#]+/i,
  twitterUrl: /^https?:\/\/(www\.)?(twitter|x)\.com\/[^/?#]+/i,
  facebookUrl: /^https?:\/\/(www\.)?facebook\.com\/[^/?#]+/i,
  instagramUrl: /^https?:\/\/(www\.)?instagram\.com\/[^/?#]+/i,
  githubUrl: /^https?:\/\/(www\.)?github\.com\/[^/?#]+/i,
  youtubeUrl: /^https?:\/\/(www\.)?youtube\.com\/(@|c\/|channel\/|user\/)[^/?#]+/i,
} as const

export const web: Provider<z.output<typeof options>> = {
  options,
  async run({ target, facts, options: { addresses }, context, signal }) {
    const domain = domainIn(textOf(facts, 'companyDomain'))
    if (domain === null) return nothing()
    if (isFreeMail(domain)) return skip('free_mail_domain')

    const { html, url } = await homePage(addresses, domain)
    const { readPage } = await import('./page-facts.ts')
    const page = readPage(html)
    const findings = target.kind === 'contact' ? aboutEmployer(page, url) : aboutCompany(page, url)
    return {
      findings,
      detail: { url, title: page.title === null ? null : shorten(page.title, 300) },
      readings: [{ source: url, text: [page.title, page.meta.get('description'), page.text].filter(Boolean).join('\n') }],
    }

    async function homePage(templates: readonly string[], name: string): Promise<{ html: string; url: string }> {
      let failure: unknown
      for (const template of templates) {
        const address = template.replaceAll('{{domain}}', name)
        try {
          const headers = { accept: 'text/html,application/xhtml+xml' }
          const answer = await ask(context.services.outgoing, address, { headers, redirects: 3, signal })
          if (answer.status !== 200) throw refusalOf(name, answer)
          if (!/html/i.test(answer.headers.get('content-type') ?? 'text/html')) throw new StepError(`${name} answered with no web page`)
          return { html: answer.text(), url: answer.url }
        } catch (error) {
          failure ??= error
          if (signal.aborted || !(error instanceof StepError)) break
        }
      }
      throw failure
    }
  },
}

// The domain may come from a request's options and becomes part of a URL, so it is validated.
function domainIn(text: string | null): string | null {
  const read = text === null ? null : readDomain(text)
  return typeof read === 'string' ? read : null
}

const organizations = /^(Organization|Corporation|LocalBusiness|.*Business|NGO|.*Organization|Store|Restaurant|ProfessionalService)$/

const organizationOf = ({ things }: PageFacts) =>
  things.find(thing => [thing['@type']].flat().some(type => typeof type === 'string' && organizations.test(type)))

const asText = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? cutText(value.trim(), 500) : null)

function nameOf(page: PageFacts): Finding[] {
  const sourced = asText(organizationOf(page)?.name)
  if (sourced) return [{ field: 'name', value: sourced, confidence: 0.9, verification: 'probable', evidence: sourced }]
  const site = asText(page.meta.get('og:site_name'))
  if (site) return [{ field: 'name', value: site, confidence: 0.8, verification: 'probable', evidence: site }]
  const [title] = (page.title ?? '').split(/ [|–—·-] /)
  return title && title.length <= 60
    ? [{ field: 'name', value: title, confidence: 0.5, verification: 'unverified', evidence: page.title }]
    : []
}

/** Findings about a contact from the site of the employer: the company's name. */
function aboutEmployer(page: PageFacts, url: string): Finding[] {
  return nameOf(page).map(finding => ({ ...finding, field: 'companyName', sourceUrl: url }))
}

/** The number of employees: a number, its text, or a schema.org QuantitativeValue. */
function employeesOf(stated: unknown): Finding[] {
  const value = typeof stated === 'object' && stated !== null ? (stated as { value?: unknown }).value : stated
  const count = typeof value === 'string' ? Number(value.trim() || Number.NaN) : value
  if (!Number.isInteger(count)) return []
  return [{ field: 'employeeCount', value: count, confidence: 0.85, verification: 'probable', evidence: `Number of employees: ${count}` }]
}

function aboutCompany(page: PageFacts, url: string): Finding[] {
  const company = organizationOf(page)
  const address = [company?.address].flat().find(one => one !== null && typeof one === 'object') as Record<string, unknown> | undefined
  const same = [company?.sameAs].flat().flatMap(one => asText(one) ?? [])
  const finding = (field: string, value: string | null | undefined, confidence: number): Finding[] =>
    value ? [{ field, value, confidence, verification: 'probable', evidence: value }] : []
  const links = Object.entries(socials).flatMap(([field, pattern]) => {
    const own = same.find(link => pattern.test(link))
    const shown = page.links.find(link => pattern.test(link) && !/\/(share|intent|sharer)/i.test(link))
    return own ? finding(field, own, 0.9) : finding(field, shown && (pattern.exec(shown)?.[0] ?? shown), 0.7)
  })
  const country = asText((address?.addressCountry as { name?: unknown } | undefined)?.name) ?? asText(address?.addressCountry)
  const logo = asText((company?.logo as { url?: unknown } | undefined)?.url) ?? asText(company?.logo)
  const image = logo ?? asText(page.meta.get('og:image'))
  const said = [
    ...nameOf(page),
    ...finding('description', asText(company?.description) ?? asText(page.meta.get('description') ?? page.meta.get('og:description')), 0.8),
    ...finding('phone', asText(company?.telephone) ?? page.phones[0], company?.telephone ? 0.85 : 0.6),
    ...finding('email', asText(company?.email)?.replace(/^mailto:/, ''), 0.85),
    ...finding('city', asText(address?.addressLocality), 0.85),
    ...finding('region', asText(address?.addressRegion), 0.85),
    ...finding('country', country && countryCode(country), 0.85),
    ...employeesOf(company?.numberOfEmployees),
    ...finding('logoUrl', image && URL.canParse(image, url) ? new URL(image, url).href : null, logo ? 0.8 : 0.5),
    ...links,
  ]
  // A page that says nothing of the company may not be its site.
  const site = said.length > 0 ? finding('website', new URL(url).origin, 0.9) : []
  return [...said, ...site].map(one => ({ ...one, sourceUrl: url }))
}
