// One value in the many spellings of programs, languages and people: each is read, or its cell listed with a warning.

import { expect, test } from 'vitest'
import { type Json, openApp } from '../../support/app.ts'
import { imports, importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { key } = await app.given.apiKey()
const fields = [
  '{ key: "budget", label: "Budget", type: NUMBER }',
  '{ key: "vip", label: "VIP", type: BOOLEAN }',
  '{ key: "since", label: "Since", type: DATE }',
  '{ key: "page", label: "Page", type: URL }',
  '{ key: "plan", label: "Plan", type: SELECT, options: ["Größe L", "-"] }',
  '{ key: "colors", label: "Colors", type: MULTI_SELECT, options: ["Red", "Blue", "A; B"] }',
  '{ key: "language", label: "Programming language", type: SELECT, options: ["C", "C++", "C#"] }',
]
await app.graphql(`mutation { ${fields.map((input, n) => `f${n}: createCustomField(input: ${input}) { id }`)} }`, undefined, { key })
const { uploaded } = importsIn(app)

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
/** Previews a file with a row for each cell: its value, or its warnings without the text of the cell, or both. */
async function read(header: string, cells: readonly string[], country = ''): Promise<Record<string, Json>> {
  const rows = cells.map((cell, n) => `r${n},${quoted(cell)},${header === 'Country' ? '' : country}`)
  const { id } = await uploaded(key, `First Name,${header},${header === 'Country' ? 'x' : 'Country'}\n${rows.join('\n')}\n`)
  const { body } = await app.rest('POST', `${imports}/${id}/preview`, { key, body: { rows: 100 } })
  await app.rest('POST', `${imports}/${id}/cancel`, { key })
  expect(body.rows.map(({ outcome }: Json) => outcome)).toEqual(cells.map(() => 'created'))
  return Object.fromEntries(
    body.rows.map(({ contact, warnings }: Json, n: number) => {
      const { first_name: _name, country: at, custom, ...others } = contact
      const value = Object.values({ ...others, ...custom, ...(header === 'Country' && at && { at }) })[0]
      const messages = warnings.map(({ message }: Json) => message.replace(/^".*?" (?=[a-z])/s, ''))
      return [cells[n], messages.length === 0 ? value : value === undefined ? messages : [value, ...messages]]
    }),
  )
}
const checked = async (header: string, examples: Record<string, Json>, country?: string) =>
  expect(await read(header, Object.keys(examples), country)).toEqual(examples)

const extension = (text: string) => `has the extension ${text}, which is left out, because a call cannot dial it`

test('telephone numbers of the row’s country, with what stands beside them', () =>
  checked(
    'Phone',
    {
      '202-555-0142 (office)': '+12025550142',
      'Phone: (202) 555-0142': '+12025550142',
      '="2025550142"': '+12025550142',
      '2025550142.0': '+12025550142',
      '++1 202 555 0142': '+12025550142',
      '202·555·0142': '+12025550142',
      '202_555_0142': '+12025550142',
      '٢٠٢ ٥٥٥ ٠١٤٢': '+12025550142',
      '202-555-0142;ext=5': ['+12025550142', extension('5')],
      '+12025550142p5': ['+12025550142', extension('5')],
      '+12025550142,,5#': ['+12025550142', extension('5')],
      '+12025550142 wait 5': ['+12025550142', extension('5')],
      '202-555-0142/43': ['+12025550142', 'has several numbers; only +12025550142 is imported'],
      '+1 202 555 0142 ramal 5': ['+12025550142', extension('5')],
      '202 555 0142 Durchwahl 89': ['+12025550142', extension('89')],
      'Office: 202-555-0142, Mobile: 202-555-0143': ['+12025550142', 'has several numbers; only +12025550142 is imported'],
      '2025550142\n2025550143': ['+12025550142', 'has several numbers; only +12025550142 is imported'],
      '+12025550142 & +12025550143': ['+12025550142', 'has several numbers; only +12025550142 is imported'],
      'ask for Mary: 202-555-0142': ['+12025550142', 'has words beside the number, which are left out: ask for Mary'],
      '+1 (555) 555-5555': ['+15555555555', 'may not be a number that exists; check it'],
      '1-800-FLOWERS': ['is not a telephone number; write it as +14155550123'],
      'call after 5pm': ['is not a telephone number; write it as +14155550123'],
    },
    'US',
  ))

test('a number that may also be one of another country is not certain', async () => {
  const doubt = (country: string) => `may not be a number in ${country}, so it cannot be called; write it as +14155550123`
  // +53 21 234567 would be in Cuba.
  await checked('Phone', { '532 123 45 67': ['532 123 45 67', doubt('Türkiye')], '0532 123 45 67': '+905321234567' }, 'TR')
  await checked('Phone', { '171 1234567': '+491711234567', '49 171 1234567': '+491711234567' }, 'DE')
})

test('telephone numbers without a country keep their digits', async () => {
  const doubt = 'cannot be called without its country; write it as +14155550123, or set the country of the organization'
  await checked('Phone', {
    'Tel. 0171 1234567': ['0171 1234567', doubt],
    '0171 1234567 (privat)': ['0171 1234567', doubt],
    '0 30 / 12 34 567': ['0 30 12 34 567', doubt],
    '030 1234567 App. 12': ['030 1234567', `${extension('12')}, and ${doubt}`],
  })
})

test('email addresses in any wrapping', () =>
  checked('Email', {
    'ada@example.com|bob@example.com': ['ada@example.com', 'has several addresses; only ada@example.com is imported'],
    'ada2@EXAMPLE.com, Ada2@example.com': 'ada2@EXAMPLE.com',
    'Email:ada3@example.com': 'ada3@example.com',
    'smtp:ada4@example.com': 'ada4@example.com',
    'ada5＠example.com': 'ada5@example.com',
    'o’brien6@example.com': "o'brien6@example.com",
    '“ada7@example.com”': 'ada7@example.com',
    '"ada8"@example.com': 'ada8@example.com',
    '[ada9@example.com](mailto:ada9@example.com)': 'ada9@example.com',
    '<a href="mailto:ada10@example.com">ada10@example.com</a>': 'ada10@example.com',
    'ada11@example.com#mailto:ada11@example.com#': 'ada11@example.com',
    'http://ada12@example.com': 'ada12@example.com',
    '\\N': ['has no value'],
    'adä@example.com': ['is not an email address; write an email address such as ada@example.com'],
    '"ada lovelace"@example.com': ['is not an email address; write an email address such as ada@example.com'],
    '#N/A': ['has no value'],
  }))

test('countries by codes and names of several kinds', () =>
  checked('Country', {
    '276': 'DE',
    'GB-ENG': 'GB',
    EL: 'GR',
    '🇩🇪': 'DE',
    'N.Z.': 'NZ',
    香港: 'HK',
    한국: 'KR',
    'Vereinigte Staaten von Amerika': 'US',
    Großbritannien: 'GB',
    'Kingdom of Norway': 'NO',
    'Slovak Republic': 'SK',
    'Korea, Dem. Rep.': 'KP',
    'Sudan, South': 'SS',
    'Samoa, American': 'AS',
    РФ: 'RU',
    السعودية: 'SA',
    EU: ['is not a country; write its name, or its code such as DE'],
    'Lebanon, NH': ['is not a country; write its name, or its code such as DE'],
    'DE - Germany': 'DE',
    'Berlin, Germany': 'DE',
    'Georgia, USA': ['is not a country; write its name, or its code such as DE'],
    'Los Angeles, CA': ['is not a country; write its name, or its code such as DE'],
    Europe: ['is not a country; write its name, or its code such as DE'],
  }))

test('days of other languages and programs', async () => {
  const twoWays = ['is not a date that can be read in one way only; write it as 2026-05-31']
  await checked('Since', {
    '5. März 2024': '2024-03-05',
    '1. Dez. 2024': '2024-12-01',
    '1er février 2024': '2024-02-01',
    '1 de febrero de 2024': '2024-02-01',
    '2 января 2024 г.': '2024-01-02',
    'Dienstag, 2. Januar 2024': '2024-01-02',
    'Tue Jan 02 2024 10:00:00 GMT+0100 (CET)': '2024-01-02',
    '2024年1月2日': '2024-01-02',
    '2024. 1. 2.': '2024-01-02',
    '２０２４－０１－０２': '2024-01-02',
    '13/1/24': '2024-01-13',
    '2024-Jan-02': '2024-01-02',
    'mardi 2 janvier 2024': '2024-01-02',
    '2024年1月2日(火)': '2024-01-02',
    '2024. január 2.': '2024-01-02',
    '2 січня 2024 р.': '2024-01-02',
    '9999-12-31': '9999-12-31',
    '31.12.9999': '9999-12-31',
    '1403-01-05': '1403-01-05',
    // Years of the calendars of Thailand and of Iran.
    '13/3/2567': twoWays,
    '2 มกราคม 2567': twoWays,
    '1403/01/13': twoWays,
    // A month in Polish, and another one in Croatian.
    '1 listopad 2024': twoWays,
    '0000-00-00': twoWays,
  })
  // The country of one contact does not decide how a file writes days.
  await checked('Since', { '2/1/2024': twoWays }, 'DE')
  await checked('Last contacted', {
    '2024-01-02T10:00:00.123Z': '2024-01-02T10:00:00.123Z',
    '2024-01-02 10:00:00 +0200': '2024-01-02T08:00:00.000Z',
    'Tue, 02 Jan 2024 10:00:00 GMT': '2024-01-02T10:00:00.000Z',
    '02.01.2024 um 10:00 Uhr': '2024-01-02T10:00:00.000Z',
    '2.1.2024 klo 14.30': '2024-01-02T14:30:00.000Z',
    '13/1/2024 10:00:00 p. m.': '2024-01-13T22:00:00.000Z',
  })
})

test('numbers that can be read in one way', async () => {
  const twoWays = ['is not a number that can be read in one way only; write it as 1234.5']
  await checked('Budget', {
    '₹1,20,000': 120000,
    'US$12.50': 12.5,
    'R$ 1.234,56': 1234.56,
    'kr 1 234,50': 1234.5,
    '1200円': 1200,
    '１２３４': 1234,
    '5-': -5,
    '5.-': 5,
    'CHF 1200,-': 1200,
    '١٢٫٥': 12.5,
    '0,123': 0.123,
    '1.234': [1.234, 'is read with a decimal point; write 1234 for thousands'],
    '1.000 €': twoWays,
    '1.000': twoWays,
    '12345678901234567890': ['has more digits than a number keeps; import it into a field of text'],
    '12345678901234567000': 12345678901234567000,
    '#DIV/0!': ['has no value'],
    NaN: ['has no value'],
  })
})

test('yes and no of other languages', () =>
  checked('VIP', {
    T: true,
    '1.0': true,
    '✅': true,
    '-1': true,
    はい: true,
    evet: true,
    ДА: true,
    כן: true,
    是: true,
    hayır: false,
    nej: false,
    いいえ: false,
    '❌': false,
    maybe: ['is neither yes nor no; write yes or no'],
  }))

test('web addresses, LinkedIn’s names and domains', async () => {
  const none = ['is not a web address; write it as https://example.com']
  await checked('Page', {
    '<https://example.com>': 'https://example.com',
    'https//example.com': 'https://example.com',
    'https://https://example.com': 'https://example.com',
    '=HYPERLINK("https://example.com","x")': 'https://example.com',
    'https://localhost:3000/a;b.': 'https://localhost:3000/a;b.',
    'www.a.com, www.b.com': ['https://www.a.com', 'has several addresses; only https://www.a.com is imported'],
    'a.com/x y': ['https://a.com/x', 'has words beside the address, which are left out'],
    word: none,
    'a@example.com': none,
    'javascript:alert(1)': none,
    'https://exa mple.com': none,
    '/path.png': none,
    'https://example.com/a b': ['https://example.com/a', 'has words beside the address, which are left out'],
  })
  await checked('LinkedIn', {
    ada: 'https://www.linkedin.com/in/ada',
    '@ada-lovelace': 'https://www.linkedin.com/in/ada-lovelace',
    '/in/ada/': 'https://www.linkedin.com/in/ada',
    'company/acme': 'https://www.linkedin.com/company/acme',
    'LinkedIn: https://de.linkedin.com/in/ada': 'https://de.linkedin.com/in/ada',
    'Ada Lovelace': none,
    Yes: none,
    なし: ['has no value'],
  })
  await checked('Company Domain', {
    'WWW.Example.com': 'example.com',
    '@example.com': 'example.com',
    'example.com.': 'example.com',
    'https:/example.com': 'example.com',
    'a.com, b.com': ['a.com', 'has several domains; only a.com is imported'],
    'www.de': 'www.de',
    'facebook.com': 'facebook.com',
    'https://www.facebook.com/acme': ['is a page of a social network, and no domain of a company; write it as example.com'],
  })
})

test('lists by their separators, and options by their letters', async () => {
  await checked('Tags', {
    'a|b': ['a', 'b'],
    'a\nb': ['a', 'b'],
    'a；b': ['a', 'b'],
    '["a","b, c"]': ['a', 'b, c'],
    'a; b , c': ['a', 'b , c'],
    '* starred ::: * myContacts': ['starred'],
    'a، b': ['a', 'b'],
    "['a', 'b']": ['a', 'b'],
    '[]': ['has no value'],
  })
  await checked('Colors', { 'A; B': ['A; B'], 'red|BLUE': ['Red', 'Blue'] })
  await checked('Plan', { 'grosse l': 'Größe L', '-': '-' })
  await checked('Programming language', { 'c++': 'C++', 'c#': 'C#', c: 'C' })
})

test('stages, consent and text of other systems', async () => {
  await checked('Stage', {
    Leads: 'lead',
    'Hot Lead': 'lead',
    'Working - Contacted': 'lead',
    'Closed - Not Converted': 'other',
    Neukunde: 'customer',
    'Customer (active)': 'customer',
    '1. Lead': 'lead',
    'Not Contacted': 'lead',
  })
  await checked('Do not call', { 'Opted out': true, DNC: true, 'OK to call': false, 'Do Not Allow': true, Allow: false })
  await checked('City', { '="00123"': '00123', 'a\u0007b': 'ab', '#REF!': ['has no value'], 'n/a': 'n/a' })
  await checked('Owner', { '(No owner)': ['has no value'] })
  await checked('Timezone', {
    'Europe/Berlin (CET)': 'Europe/Berlin',
    'W. Europe Standard Time': ['is not a time zone; write it as Europe/Berlin'],
  })
})

test('errors of spreadsheets in other languages are no values', () => {
  const cells = ['#VALEUR!', '#NOM?', '#¡VALOR!', '#¿NOMBRE?', '#N/D', '#RIF!', '#ЗНАЧ!', '#Н/Д', '#DIV/0!', 'Err:502', '\\N']
  return checked('City', { ...Object.fromEntries(cells.map(cell => [cell, ['has no value']])), '#vip': '#vip', 'n/a': 'n/a' })
})
