// The columns of a file: their headers, samples, and the fields that they probably contain.

import { storableText } from '../../kernel/input/storable.ts'
import { type ContactFields, contactFields } from '../contact/row.ts'
import type { CustomField } from '../custom-fields/field.sql.ts'

export interface ImportColumn {
  name: string
  /** Some of the column's first values. */
  samples: string[]
  /** `email` or `custom.plan`, for example; null when no field is suggested. */
  field: string | null
}

/** At least the number of all fields and custom fields, with some more that are not imported. */
export const maxColumns = 500
const maxSamples = 3
const maxSampleLength = 100

export const customPrefix = 'custom.'

/** Describes the columns from the file's first records. */
export function columnsOf(
  records: readonly (readonly string[])[],
  isHeader: boolean,
  customFields: readonly CustomField[],
): ImportColumn[] {
  const [first = []] = records
  const rows = isHeader ? records.slice(1) : records
  const taken = new Set<string>()
  return first.map((header, index) => {
    const name = isHeader ? cut(header) || `Column ${index + 1}` : `Column ${index + 1}`
    const field = isHeader ? suggestion(header, customFields) : null
    const isNew = field !== null && !taken.has(field)
    if (isNew) taken.add(field)
    const samples = rows.map(row => cut(row[index] ?? '')).filter(sample => sample !== '')
    return { name, samples: [...new Set(samples)].slice(0, maxSamples), field: isNew ? field : null }
  })
}

// A character has at most two code units.
const cut = (text: string) => [...storableText(text.trim().slice(0, 2 * maxSampleLength))].slice(0, maxSampleLength).join('')

/** Letters and digits in lower case: `E-Mail Address` and `email_address` are the same header. */
const normalized = (header: string) =>
  header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

// Headers used by other CRMs, address books and spreadsheets.
const synonyms: Partial<Record<keyof ContactFields, readonly string[]>> = {
  email: ['emailaddress', 'mail', 'mailaddress', 'primaryemail', 'workemail', 'email1', 'email1value'],
  firstName: ['first', 'givenname', 'forename', 'vorname', 'prenom'],
  lastName: ['last', 'surname', 'familyname', 'nachname', 'nom'],
  fullName: ['name', 'contactname', 'displayname', 'contact'],
  phone: ['phonenumber', 'telephone', 'tel', 'mobile', 'mobilephone', 'workphone', 'phone1value', 'telefon'],
  jobTitle: ['title', 'position', 'role'],
  companyName: ['company', 'organization', 'organisation', 'account', 'accountname', 'firma', 'employer'],
  companyDomain: ['domain', 'website', 'companywebsite', 'companyurl'],
  linkedinUrl: ['linkedin', 'linkedinprofile', 'linkedinprofileurl'],
  city: ['town', 'ort', 'stadt'],
  region: ['state', 'province', 'stateregion'],
  country: ['countrycode', 'countryregion', 'land'],
  timezone: ['tz'],
  avatarUrl: ['avatar', 'photo', 'picture'],
  lifecycleStage: ['stage', 'lifecycle', 'status'],
  ownerUserId: ['owner', 'ownerid'],
  tags: ['tag', 'labels', 'groups', 'groupmembership'],
  doNotCall: ['dnc', 'donotcontact'],
  externalId: ['recordid', 'contactid', 'crmid'],
  lastContactedAt: ['lastcontacted', 'lastcontact', 'lastactivity'],
}
const fieldByHeader = new Map(
  contactFields
    .filter(field => field !== 'custom')
    .flatMap(field => [field, ...(synonyms[field] ?? [])].map(name => [normalized(name), field as string] as const)),
)

function suggestion(header: string, customFields: readonly CustomField[]): string | null {
  const plain = normalized(header)
  const named = customFields.find(({ key, label }) =>
    [key, `custom.${key}`, label].some(name => normalized(name) === plain && plain !== ''),
  )
  return fieldByHeader.get(plain) ?? (named ? customPrefix + named.key : null)
}
