// vCards as a table: a row for each card, with as many columns of addresses and numbers as the card that has most.

import { AppError } from '../../../kernel/errors.ts'
import { joinList } from '../../exports/lists.ts'
import { decoderOf, type Encoding } from '../encodings.ts'
import { encodingOf } from '../format.ts'
import { type Card, cardsOf, itemsOf, type Property, partsOf, plainText } from './vcard.ts'

/** The values of a card, by the headers of their columns. */
type Values = ReadonlyMap<string, string>

// The order of the columns. Columns of a list are numbered: `Phone`, `Phone 2`.
const headers = [
  ...['External ID', 'Full name', 'First name', 'Last name', 'Email', 'Phone', 'Fax', 'Job title', 'Company name', 'Department'],
  ...[
    'Website',
    'LinkedIn URL',
    'Street',
    'City',
    'Region',
    'Postal code',
    'Country',
    'Birthday',
    'Tags',
    'Note',
    'Avatar URL',
    'Time zone',
  ],
]
// Of one card: a longer list is no person's.
const maxOfKind = 20

/** The table with its headers. `read` returns the bytes of the file; they are read twice. Throws INVALID for a file without cards. */
export async function tableOfCards(read: () => AsyncIterable<Buffer>, isUtf8: boolean): Promise<AsyncGenerator<string[]>> {
  const cards = () => personsOf(textsOf(read(), isUtf8))
  const found = new Set<string>()
  for await (const values of cards()) for (const name of values.keys()) found.add(name)
  if (found.size === 0) throw new AppError('INVALID', 'The file has no vCard with a name, an address or a number')
  const rank = (name: string) => headers.indexOf(name.replace(/ \d+$/, '')) * 100 + Number(/ (\d+)$/.exec(name)?.[1] ?? 1)
  const columns = [...found].toSorted((one, other) => rank(one) - rank(other))
  return rowsOf(cards(), columns)
}

async function* rowsOf(cards: AsyncIterable<Values>, columns: readonly string[]): AsyncGenerator<string[]> {
  yield [...columns]
  for await (const values of cards) yield columns.map(name => values.get(name) ?? '')
}

async function* textsOf(chunks: AsyncIterable<Buffer>, isUtf8: boolean): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const chunk of chunks) {
    const encoding: Encoding = decoder ? 'utf_8' : encodingOf(chunk, isUtf8)
    decoder ??= decoderOf(encoding)
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

async function* personsOf(texts: AsyncIterable<string>): AsyncGenerator<Values> {
  for await (const card of cardsOf(texts)) {
    const isGroup = card.some(({ name, value }) => /^(?:KIND|X-ADDRESSBOOKSERVER-KIND)$/.test(name) && /^group$/i.test(value.trim()))
    const values = isGroup ? new Map<string, string>() : valuesOf(card)
    if (values.size > 0) yield values
  }
}

function valuesOf(card: Card): Values {
  const values = new Map<string, string>()
  const set = (name: string, value: string | undefined) => {
    if (value && !values.has(name)) values.set(name, value)
  }
  const all = (name: string) =>
    card.filter(one => one.name === name && one.value.trim() !== '').toSorted((one, other) => one.preference - other.preference)
  const first = (name: string) => plainText(all(name)[0]?.value ?? '')
  const setList = (name: string, given: readonly string[]) => {
    const values = [...new Set(given.filter(Boolean))].slice(0, maxOfKind)
    for (const [index, value] of values.entries()) set(index === 0 ? name : `${name} ${index + 1}`, value)
  }

  const [lastName = '', firstName = '', middleName = ''] = partsOf(all('N')[0]?.value ?? '')
  const given = [firstName, middleName].filter(Boolean).join(' ')
  set('First name', given)
  set('Last name', lastName)
  const fullName = first('FN')
  // The name of a contact is its first and last name unless another is given.
  if (fullName !== [given, lastName].filter(Boolean).join(' ') && !fullName.includes('@')) set('Full name', fullName)
  set('External ID', first('UID').replace(/^urn:uuid:/i, ''))
  setList(
    'Email',
    all('EMAIL').map(({ value }) => plainText(value).replace(/^mailto:/i, '')),
  )
  const numbers = Map.groupBy(all('TEL'), ({ types }) => (types.has('fax') && !types.has('voice') ? 'Fax' : 'Phone'))
  for (const [name, some] of numbers) setList(name, some.map(numberOf))
  const [company = '', ...departments] = partsOf(all('ORG')[0]?.value ?? '')
  set('Company name', company)
  set('Department', departments.filter(Boolean).join(', '))
  set('Job title', first('TITLE') || first('ROLE'))
  const pages = ['URL', 'X-SOCIALPROFILE', 'IMPP'].flatMap(name => all(name).map(({ value }) => plainText(value)))
  const isProfile = (address: string) => /linkedin\.com\//i.test(address)
  set('LinkedIn URL', pages.find(isProfile))
  setList(
    'Website',
    all('URL')
      .map(({ value }) => plainText(value))
      .filter(address => !isProfile(address)),
  )
  for (const [index, { value }] of all('ADR').slice(0, maxOfKind).entries()) {
    const [box, extension, street, city, region, code, country] = partsOf(value)
    const end = index === 0 ? '' : ` ${index + 1}`
    set(`Street${end}`, [street, extension, box].filter(Boolean).join(', '))
    set(`City${end}`, city)
    set(`Region${end}`, region)
    set(`Postal code${end}`, code)
    set(`Country${end}`, country)
  }
  set('Birthday', first('BDAY').replace(/^(\d{4})(\d\d)(\d\d)(?=T|$)/, '$1-$2-$3'))
  const tags = all('CATEGORIES').flatMap(({ value }) => itemsOf(value))
  set('Tags', joinList([...new Set(tags.filter(Boolean))]))
  set(
    'Note',
    all('NOTE')
      .map(({ value }) => plainText(value))
      .join('\n\n'),
  )
  set('Avatar URL', /^https?:\/\/\S+$/i.test(first('PHOTO')) ? first('PHOTO') : '')
  set('Time zone', /^[A-Z][\w+-]+\/[\w+/-]+$/i.test(first('TZ')) ? first('TZ') : '')
  return values
}

/** `tel:+1-555-0100;ext=5` is a number of 4.0. */
const numberOf = ({ value }: Property) => {
  const [number = '', ...parameters] = plainText(value).replace(/^tel:/i, '').split(';')
  const extension = parameters.find(one => /^ext=\d/i.test(one))?.slice(4)
  return extension === undefined ? number : `${number} ext. ${extension}`
}
