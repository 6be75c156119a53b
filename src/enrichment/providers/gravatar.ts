// gravatar: the public Gravatar profile of an email address.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ask, refusalOf } from './outgoing.ts'
import { type Finding, nothing, type Provider, textOf } from './provider.ts'

const options = z.strictObject({ base_url: z.url({ protocol: /^https?$/ }).default('https://api.gravatar.com/v3') })

const text = z.string().trim().min(1).max(500).optional().catch(undefined)
const profile = z.object({
  profile_url: text,
  avatar_url: text,
  avatar_alt_text: text,
  display_name: text,
  first_name: text,
  last_name: text,
  location: text,
  job_title: text,
  company: text,
  timezone: text,
  verified_accounts: z
    .array(z.object({ service_type: text, url: text }))
    .optional()
    .catch(undefined),
})

export const gravatar: Provider<z.output<typeof options>> = {
  options,
  async run({ facts, options: { base_url: base }, context, signal }) {
    const address = textOf(facts, 'email')
    if (address === null) return nothing()
    const hash = createHash('sha256').update(address.toLowerCase()).digest('hex')
    const answer = await ask(context.services.outgoing, `${base.replace(/\/$/, '')}/profiles/${hash}`, {
      headers: { accept: 'application/json' },
      redirects: 3,
      signal,
    })
    if (answer.status === 404) return nothing()
    if (answer.status !== 200) throw refusalOf('Gravatar', answer)
    const found = profile.parse(answer.json())

    // The owner has verified the address, and entered the other values.
    const finding = (field: string, value: string | undefined, confidence: number): Finding[] =>
      value ? [{ field, value, confidence, verification: 'probable', sourceUrl: found.profile_url ?? null, evidence: value }] : []
    const linkedin = found.verified_accounts?.find(({ service_type }) => service_type === 'linkedin')
    return {
      findings: [
        ...finding('avatarUrl', found.avatar_url, 0.95),
        ...finding('fullName', found.display_name, 0.7),
        ...finding('firstName', found.first_name, 0.75),
        ...finding('lastName', found.last_name, 0.75),
        ...finding('jobTitle', found.job_title, 0.75),
        ...finding('companyName', found.company, 0.75),
        ...finding('timezone', found.timezone, 0.75),
        ...finding('linkedinUrl', linkedin?.url, 0.9),
      ],
      detail: { profile: found.profile_url ?? null },
    }
  },
}
