// The fields that the headers of other programs mean. Pure.

import { perObject } from '../../../kernel/per-object.ts'
import type { ContactFields } from '../../contact/row.ts'
import type { CustomField } from '../../custom-fields/field.sql.ts'
import { plainWord } from '../cells/characters.ts'
import { stageNamed } from '../cells/stages.ts'
import { type ImportNoun, importNouns, namesOfFields } from '../nouns/fields.ts'
import { synonymsOfNouns } from '../nouns/synonyms.ts'
import { synonyms } from './synonyms.ts'

export const customPrefix = 'custom.'

/** Letters and digits in lower case: `E-Mail Address` and `email_address` are the same header. */
const normalized = plainWord

const salutations = new Set(
  (
    'dr prof professor mr mrs ms miss mx sir dame lord lady rev hon herr frau hr fr med phil jur dipl ing mag monsieur madame m mme mlle ' +
    'maitre sr sra srta don dona senor senora sig signor signora dott dottssa dhr mevr drs pan pani fru'
  ).split(' '),
)
const isSalutation = (text: string) => {
  const words = wordsOf(text)
  return words.length > 0 && words.every(word => salutations.has(word))
}
const wordsOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[\s.,/-]+/)
    .filter(Boolean)

/**
 * The shape that the values under a header must have for it to mean the field, where programs use the header for other things too: `Title` is a job in
 * one and `Dr.` in another, `URL` a profile or a company.
 */
const meant: Partial<Record<keyof ContactFields, (header: string, values: readonly string[]) => boolean>> & Vocabulary['meant'] = {
  jobTitle: (header, values) => values.length === 0 || !values.every(value => isSalutation(value) || (header === 'role' && isRole(value))),
  linkedinUrl: (header, values) => header.includes('linkedin') || values.some(value => /linkedin\./i.test(value)),
  // A record may be active, too, and a payment open.
  lifecycleStage: (header, values) => header !== 'status' || values.some(value => stageNamed(value) !== undefined),
  companyDomain: (_header, values) => !values.some(value => /linkedin\./i.test(value)),
  fullName: (_header, values) => !values.some(value => value.includes('@')),
  phone: (header, values) => header !== 'work' || values.every(value => /^[+(\d][\d\s()./-]{4,}$/.test(value)),
  // An id belongs to one contact, and not to a company with several. Two lists may number their rows, and ours are in no other system.
  externalId: (header, values) =>
    new Set(values).size === values.length && (header !== 'id' || values.every(value => /[a-z]|\d{5}/i.test(value) && !isUuid(value))),
}

const isRole = (text: string) => /^(?:end-user|agent|admin|user|member|owner)$/i.test(text)
const isUuid = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** The headers that mean a noun's fields. */
interface Vocabulary {
  fieldByName: ReadonlyMap<string, string>
  fieldsBySynonym: readonly { field: string; synonym: string }[]
  known: ReadonlySet<string>
  meant: Readonly<Record<string, (header: string, values: readonly string[]) => boolean>>
}

function vocabularyFor(noun: ImportNoun): Vocabulary {
  const own = namesOfFields(noun)
  const words: Readonly<Record<string, readonly string[]>> = noun === 'contact' ? synonyms : synonymsOfNouns[noun]
  const fieldByName = new Map(own.map(field => [normalized(field), field]))
  const fieldsBySynonym = own.flatMap(field => (words[field] ?? []).map(word => ({ field, synonym: normalized(word) })))
  const known = new Set([...fieldByName.keys(), ...fieldsBySynonym.map(({ synonym }) => synonym)])
  return { fieldByName, fieldsBySynonym, known, meant: noun === 'contact' ? meant : {} }
}

// Object.fromEntries does not keep the key type; the keys are exactly the nouns.
const vocabularies = Object.fromEntries(importNouns.values.map(noun => [noun, vocabularyFor(noun)])) as Record<ImportNoun, Vocabulary>

/** The header as it is compared: without `(EST)` behind it, if it is known without. */
function plainHeader(header: string, customFields: readonly CustomField[], noun: ImportNoun): string {
  const { known } = vocabularies[noun]
  const whole = normalized(header)
  const end = header.trimEnd().endsWith(')') ? header.lastIndexOf('(') : -1
  if (end <= 0 || known.has(whole) || customNamed(whole, customFields) !== undefined) return whole
  const bare = normalized(header.slice(0, end))
  return known.has(bare) ? bare : whole
}

/** The number of cells that are headers which a field of the noun or a custom field has. */
export const countKnownHeaders = (cells: readonly string[], customFields: readonly CustomField[], noun: ImportNoun = 'contact'): number =>
  new Set(
    cells
      .map(cell => plainHeader(cell, customFields, noun))
      .filter(plain => plain !== '' && (vocabularies[noun].known.has(plain) || customNamed(plain, customFields) !== undefined)),
  ).size

/**
 * The field of each column, or null. Each field is suggested once. Columns with values come before empty ones, and among them exact names
 * before synonyms, wherever their columns stand. `values` has the values under each header.
 */
export function suggestFields(
  headers: readonly string[],
  values: readonly (readonly string[])[],
  customFields: readonly CustomField[],
  noun: ImportNoun = 'contact',
): (string | null)[] {
  const { fieldByName, fieldsBySynonym, meant } = vocabularies[noun]
  const plain = headers.map(header => plainHeader(header, customFields, noun))
  const fields: (string | null)[] = headers.map(() => null)
  const taken = new Set<string>()
  const suggest = (index: number, field: string | undefined) => {
    if (field === undefined || taken.has(field) || fields[index] !== null) return
    fields[index] = field
    taken.add(field)
  }
  for (const isFilled of [true, false]) {
    const some = [...plain.entries()].filter(([index]) => (values[index]?.length ?? 0) > 0 === isFilled)
    for (const [index, header] of some) suggest(index, fieldByName.get(header) ?? customNamed(header, customFields))
    for (const { field, synonym } of fieldsBySynonym)
      for (const [index, header] of some)
        if (header === synonym && (meant[field]?.(header, values[index] ?? []) ?? true)) suggest(index, field)
  }
  // Without a header, the values tell.
  if (noun !== 'contact') return fields
  for (const [index, header] of plain.entries()) if (header === '') suggest(index, fieldOfValues(values[index] ?? []))
  return fields
}

/** For each column with values and without a field: the field that its header means, and that another column has. */
export function furtherFields(
  headers: readonly string[],
  values: readonly (readonly string[])[],
  fields: readonly (string | null)[],
  noun: ImportNoun = 'contact',
): (string | null)[] {
  const taken = new Set(fields)
  return headers.map((header, index) => {
    if ((fields[index] ?? null) !== null || (values[index] ?? []).length === 0) return null
    const plain = normalized(header)
    // Phone 2 of a table with numbered columns.
    const field = fieldMeant(plain, noun) ?? fieldMeant(plain.replace(/\d{1,2}$/, ''), noun)
    return field !== undefined && taken.has(field) ? field : null
  })
}

function fieldMeant(plain: string, noun: ImportNoun): string | undefined {
  const { fieldByName, fieldsBySynonym } = vocabularies[noun]
  return fieldByName.get(plain) ?? fieldsBySynonym.find(({ synonym }) => synonym === plain)?.field
}

function fieldOfValues(values: readonly string[]): keyof ContactFields | undefined {
  if (values.length === 0) return undefined
  if (values.every(value => /^[^\s@,;|]+@[^\s@,;|]+$/.test(value))) return 'email'
  if (values.every(value => /linkedin\.com\//i.test(value))) return 'linkedinUrl'
  return values.every(value => /^[+(0][\d\s()./-]{6,30}$/.test(value)) ? 'phone' : undefined
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
