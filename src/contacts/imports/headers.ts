// The fields that the headers of other programs mean. Pure.

import { perObject } from '../../kernel/per-object.ts'
import { type ContactFields, contactFields } from '../contact/row.ts'
import type { CustomField } from '../custom-fields/field.sql.ts'

export const customPrefix = 'custom.'

/** Letters and digits in lower case: `E-Mail Address` and `email_address` are the same header. */
const normalized = (header: string) =>
  header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Headers of CRMs, address books and spreadsheets, without spaces and signs. Where a file has several for one field, the first one here is
 * taken; the name of the field itself comes before all of them.
 */
const synonyms: Partial<Record<keyof ContactFields, readonly string[]>> = {
  email: [
    ...[
      'emailaddress',
      'primaryemail',
      'workemail',
      'emailwork',
      'businessemail',
      'email1',
      'email1value',
      'email1address',
      'mail',
      'mailaddress',
    ],
    ...[
      'emailprimary',
      'personemail',
      'personemailwork',
      'contactemail',
      'emailhome',
      'personalemail',
      'courriel',
      'correo',
      'correoelectronico',
    ],
  ],
  firstName: ['first', 'givenname', 'forename', 'contactfirstname', 'personfirstname', 'vorname', 'prenom', 'nombre', 'nome'],
  lastName: ['last', 'surname', 'familyname', 'contactlastname', 'personlastname', 'nachname', 'nom', 'apellido', 'apellidos', 'cognome'],
  fullName: ['name', 'contactname', 'personname', 'displayname', 'contact', 'fileas'],
  phone: [
    ...['phonenumber', 'telephone', 'telephonenumber', 'tel', 'phone1value', 'phone1', 'primaryphone', 'personphone', 'contactphone'],
    ...['workphone', 'phonework', 'businessphone', 'personphonework', 'companymainphone', 'mobile', 'mobilephone', 'mobilephonenumber'],
    ...['cell', 'cellphone', 'phonemobile', 'personphonemobile', 'homephone', 'telefon', 'telefonnummer', 'handy', 'mobil', 'telefono'],
  ],
  jobTitle: [
    'title',
    'position',
    'role',
    'jobposition',
    'personjobtitle',
    'organizationtitle',
    'organization1title',
    'berufsbezeichnung',
    'poste',
  ],
  companyName: [
    ...['company', 'organization', 'organisation', 'organizationname', 'organization1name', 'personorganization', 'account', 'accountname'],
    ...['associatedcompany', 'employer', 'firma', 'unternehmen', 'entreprise', 'societe', 'empresa', 'azienda'],
  ],
  companyDomain: [
    'domain',
    'companydomainname',
    'website',
    'companywebsite',
    'companyurl',
    'websiteurl',
    'webpage',
    'website1value',
    'url',
  ],
  linkedinUrl: ['linkedin', 'linkedinprofile', 'linkedinprofileurl', 'personlinkedinurl', 'profileurl', 'url'],
  city: ['town', 'businesscity', 'mailingcity', 'address1city', 'workcity', 'homecity', 'ort', 'stadt', 'ville', 'ciudad'],
  region: [
    ...['state', 'province', 'stateregion', 'stateprovince', 'businessstate', 'mailingstate', 'mailingstateprovince', 'address1region'],
    ...['homestate', 'bundesland'],
  ],
  country: [
    ...['countrycode', 'countryregion', 'businesscountryregion', 'businesscountry', 'mailingcountry', 'address1country', 'workcountry'],
    ...['homecountryregion', 'land', 'pays', 'pais', 'paese'],
  ],
  timezone: ['tz'],
  avatarUrl: ['avatar', 'photo', 'picture'],
  lifecycleStage: ['stage', 'lifecycle', 'leadstatus', 'status'],
  ownerUserId: ['owner', 'ownerid', 'contactowner', 'personowner', 'recordowner', 'leadowner', 'accountowner', 'assignedto'],
  tags: ['tag', 'labels', 'categories', 'groups', 'groupmembership', 'personlabels', 'personlabel'],
  doNotCall: ['dnc', 'donotcontact'],
  externalId: ['recordid', 'contactid', 'personid', 'leadid', 'crmid', 'customerid'],
  lastContactedAt: ['lastcontacted', 'lastcontact', 'lastactivity', 'lastactivitydate'],
}

const salutations = new Set(
  (
    'dr prof professor mr mrs ms miss mx sir dame lord lady rev hon herr frau hr fr med phil jur dipl ing mag monsieur madame m mme mlle ' +
    'maitre sr sra srta don dona senor senora sig signor signora dott dottssa dhr mevr drs pan pani fru'
  ).split(' '),
)
const isSalutation = (text: string) => {
  const words = normalizedWords(text)
  return words.length > 0 && words.every(word => salutations.has(word))
}
const normalizedWords = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[\s.,/-]+/)
    .filter(Boolean)

/**
 * What the values under a header must be for it to mean the field, where programs use the header for other things too: `Title` is a job in
 * one and `Dr.` in another, `URL` a profile or a company.
 */
const meant: Partial<Record<keyof ContactFields, (header: string, values: readonly string[]) => boolean>> = {
  jobTitle: (_header, values) => values.length === 0 || !values.every(isSalutation),
  linkedinUrl: (header, values) => !/^(profile)?url$/.test(header) || values.some(value => /linkedin\./i.test(value)),
  companyDomain: (_header, values) => !values.some(value => /linkedin\./i.test(value)),
  fullName: (_header, values) => !values.some(value => value.includes('@')),
}

const own = contactFields.filter(field => field !== 'custom')
const fieldByName = new Map<string, string>(own.map(field => [normalized(field), field]))
const known = new Set([...fieldByName.keys(), ...Object.values(synonyms).flat()])

/** The number of cells that are headers which a contact's field or a custom field has. */
export const knownHeaders = (cells: readonly string[], customFields: readonly CustomField[]): number =>
  new Set(cells.map(normalized).filter(plain => plain !== '' && (known.has(plain) || customNamed(plain, customFields) !== undefined))).size

/**
 * The field of each column, or null. Each field is suggested once. Exact names come before synonyms, wherever their columns stand. `values`
 * has the values under each header.
 */
export function suggestedFields(
  headers: readonly string[],
  values: readonly (readonly string[])[],
  customFields: readonly CustomField[],
): (string | null)[] {
  const plain = headers.map(normalized)
  const fields: (string | null)[] = headers.map(() => null)
  const taken = new Set<string>()
  const suggest = (index: number, field: string | undefined) => {
    if (field === undefined || taken.has(field) || fields[index] !== null) return
    fields[index] = field
    taken.add(field)
  }
  for (const [index, header] of plain.entries()) suggest(index, fieldByName.get(header) ?? customNamed(header, customFields))
  for (const field of own)
    for (const synonym of synonyms[field] ?? [])
      for (const [index, header] of plain.entries())
        if (header === synonym && (meant[field]?.(header, values[index] ?? []) ?? true)) suggest(index, field)
  return fields
}

// Thousands of cells are compared with hundreds of fields, so the names of these are read once. The first field of a name counts.
const customByName = perObject(
  (customFields: readonly CustomField[]) =>
    new Map(
      customFields
        .toReversed()
        .flatMap(({ key, label }) => [key, customPrefix + key, label].map(name => [normalized(name), customPrefix + key] as const)),
    ),
)

const customNamed = (plain: string, customFields: readonly CustomField[]): string | undefined =>
  plain === '' ? undefined : customByName(customFields).get(plain)
