// Suggestions of sample data: values with the line of a call, or of a page, that says them.

import type { Contact } from '../../contacts/contact/row.ts'
import { pick, plain, type Random } from '../../contacts/sample/people.ts'
import type { Verification } from '../providers/provider.ts'
import type { ValueType } from '../targets/field.ts'

export type SuggestedContact = Pick<Contact, 'fullName' | 'jobTitle' | 'city' | 'companyName' | 'companyDomain' | 'linkedinUrl'>

export interface SampleSuggestion {
  field: 'jobTitle' | 'city' | 'companyName' | 'linkedinUrl'
  valueType: ValueType
  proposedValue: string
  evidence: string
  sourceUrl: string | null
  provider: 'calls' | 'web'
  confidence: number
  verification: Verification
}

const titles = [
  'Head of Sales',
  'Regional Director',
  'Chief Operating Officer',
  'Head of Procurement',
  'Team Lead Support',
  'Managing Director',
]
const cities = ['Leeds', 'Utrecht', 'Lyon', 'Leipzig', 'Portland', 'Geelong']
const titleLines = [
  (title: string) => `I am ${title} now, since the first of the month.`,
  (title: string) => `Please note my new role: ${title}.`,
  (title: string) => `They have made me ${title}, so it is my decision.`,
]
const cityLines = [(city: string) => `We have moved. Our office is in ${city} now.`, (city: string) => `I work from ${city} these days.`]

/** A value of another field each time: one that the contact does not have yet, or with `isTaken` one that it has. */
export function suggestionFor(random: Random, contact: SuggestedContact, index: number, isTaken = false): SampleSuggestion {
  const { fullName, companyName, companyDomain } = contact
  const said = { provider: 'calls', verification: 'probable', sourceUrl: null } as const
  switch (index % 4) {
    case 0: {
      const title = (isTaken && contact.jobTitle) || pick(random, without(titles, contact.jobTitle))
      return {
        ...said,
        field: 'jobTitle',
        valueType: 'text',
        proposedValue: title,
        evidence: `user: ${pick(random, titleLines)(title)}`,
        confidence: 0.9,
      }
    }
    case 1: {
      const city = (isTaken && contact.city) || pick(random, without(cities, contact.city))
      return {
        ...said,
        field: 'city',
        valueType: 'text',
        proposedValue: city,
        evidence: `user: ${pick(random, cityLines)(city)}`,
        confidence: 0.75,
      }
    }
    case 2: {
      const name = isTaken && companyName ? companyName : `${companyName ?? 'Northwind'} Group`
      const evidence = `user: We are called ${name} since the merger.`
      return { ...said, field: 'companyName', valueType: 'text', proposedValue: name, evidence, confidence: 0.85 }
    }
    default: {
      const address = `https://www.linkedin.example/in/${plain(fullName ?? 'team')}`
      const evidence = `Our team: ${fullName ?? 'the team'}, ${address}`
      const sourceUrl = `https://www.${companyDomain ?? 'northwind.example'}/team`
      return {
        field: 'linkedinUrl',
        valueType: 'url',
        proposedValue: address,
        evidence,
        sourceUrl,
        provider: 'web',
        confidence: 0.6,
        verification: 'unverified',
      }
    }
  }
}

const without = (values: readonly string[], value: string | null) => values.filter(one => one !== value)
