// The domains of a company. Pure.

import { bounded, domain, invalidValue, type Read, tooLong } from '../../kernel/input/fields.ts'
import { isFreeMail } from '../../kernel/input/free-mail.ts'
import { at, Invalid } from '../../kernel/input/problem.ts'

// 50: more than the brands of a large group. Each is a row, which every write of the domains compares.
export const maxDomains = 50

/** A domain in lower case, without `www`; for a web address, its host. Domains of mail providers are refused. */
export const companyDomain = bounded(2048, (input: string) => {
  const host = domain(input)
  if (typeof host !== 'string' || !isFreeMail(host)) return host
  return invalidValue(input, `${host} gives mail addresses to everybody, so it is not the domain of one company`)
})

/** Further domains in the given order, each once. */
export const companyDomains: Read<readonly string[], string[]> = bounded(2048, (input: readonly string[]) => {
  if (input.length > maxDomains) return tooLong(input, maxDomains)
  const read = input.map(companyDomain)
  const problems = read.flatMap((result, index) => (result instanceof Invalid ? at(index, result) : []))
  return problems.length > 0 ? new Invalid(problems) : [...new Set(read.filter(result => typeof result === 'string'))]
})
