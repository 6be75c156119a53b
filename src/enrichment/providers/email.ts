// email: facts from the address itself, and whether its domain accepts mail.

import { Resolver } from 'node:dns/promises'
import { isDisposableEmailDomain } from 'disposable-email-domains-js'
import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { commonMail, isFreeMail } from '../../kernel/input/free-mail.ts'
import { type Finding, nothing, type Provider, type StepResult, textOf } from './provider.ts'

const options = z.strictObject({
  /** Name servers, as `address` or `address:port`. Default: the system's. */
  dns_servers: z.array(z.string().min(1)).min(1).optional(),
})

const roles = new Set(
  (
    'abuse accounting accounts admin administrator billing booking career careers compliance contact customerservice dev enquiries feedback finance ' +
    'hello help helpdesk hi hostmaster hr info inquiries it jobs legal mail marketing media news newsletter no-reply noreply office orders postmaster ' +
    'press privacy recruiting root sales security service services shop support team webmaster welcome'
  ).split(' '),
)

const form = /^([\w.!#$%&'*+/=?^`{|}~-]{1,64})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63})$/i
const names = /^([a-z]{2,20})[._]([a-z]{2,30})$/

export const email: Provider<z.output<typeof options>> = {
  options,
  async run({ facts, options: { dns_servers: servers }, signal }) {
    const address = textOf(facts, 'email')
    const [, mailbox = '', domain = ''] = (address && form.exec(address.toLowerCase())) || []
    if (!domain) return nothing({ syntax: false })

    const free = isFreeMail(domain)
    const disposable = isDisposableEmailDomain(domain)
    const role = roles.has(mailbox.split('+', 1)[0] ?? '')
    const mail = await mailServers(domain, servers, signal)
    const detail = { syntax: true, freeMail: free, disposable, role, takesMail: mail.takesMail, mailServers: mail.hosts.slice(0, 5) }
    const findings: Finding[] = []
    const evidence = address ?? ''

    if (!free && !disposable && mail.takesMail !== false)
      findings.push({
        field: 'companyDomain',
        value: domain,
        confidence: mail.takesMail ? 0.9 : 0.7,
        verification: mail.takesMail ? 'probable' : 'unverified',
        evidence,
      })
    const [, first, last] = (!role && names.exec(mailbox)) || []
    if (first && last) {
      findings.push({ field: 'firstName', value: capital(first), confidence: 0.6, verification: 'unverified', evidence })
      findings.push({ field: 'lastName', value: capital(last), confidence: 0.6, verification: 'unverified', evidence })
    }
    if (mail.takesMail === false) {
      const corrected = commonMail.find(common => common !== domain && distance(common, domain) === 1)
      if (corrected)
        findings.push({ field: 'email', value: `${mailbox}@${corrected}`, confidence: 0.6, verification: 'unverified', evidence })
    }
    return { findings, detail, ...(mail.error && { error: mail.error }) } satisfies StepResult
  },
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

interface Mail {
  /** Null when the lookup failed. */
  takesMail: boolean | null
  hosts: string[]
  error?: string
}

// The name does not exist, or has no such records: a result, not a failure.
const absent = /^(ENOTFOUND|ENODATA|NXDOMAIN)$/

/** Whether a domain accepts mail: by its MX records, or without them, as in RFC 5321, by its own address. */
async function mailServers(domain: string, servers: string[] | undefined, signal: AbortSignal): Promise<Mail> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const records = await answers(() => resolver.resolveMx(domain))
    const hosts = records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
    // RFC 7505: a single empty exchange declares that the domain accepts no mail.
    if (hosts.length > 0) return { takesMail: hosts.some(host => host !== '' && host !== '.'), hosts }
    const own = [...(await answers(() => resolver.resolve4(domain))), ...(await answers(() => resolver.resolve6(domain)))]
    return { takesMail: own.length > 0, hosts: own.length > 0 ? [domain] : [] }
  } catch (error) {
    return { takesMail: null, hosts: [], error: `The mail servers of ${domain} could not be looked up (${codeOf(error)})` }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function answers<Answer>(ask: () => Promise<Answer[]>): Promise<Answer[]> {
  try {
    return await ask()
  } catch (error) {
    if (absent.test(codeOf(error))) return []
    throw error
  }
}

const codeOf = (error: unknown) => String((error as NodeJS.ErrnoException).code ?? 'unknown')
