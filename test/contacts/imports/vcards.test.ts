// vCards 2.1, 3.0 and 4.0: which columns they become, and which files are refused.

import { describe, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { importsIn } from './files.ts'

const app = await openApp({ env: { ROLES: 'web,api,session,worker' } })
const { upload, uploaded, imported, contacts } = importsIn(app)

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`

const version2 = lines(
  'BEGIN:VCARD',
  'VERSION:2.1',
  'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCr=',
  'gen',
  'TEL;CELL;VOICE:+49 171 1234567',
  'TEL;HOME;FAX:+49 30 7654321',
  'ORG:Acme\\; Sons;Sales',
  'NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:gr=FC=DFt=0D=0Aalle',
  'PHOTO;ENCODING=BASE64;TYPE=JPEG:',
  ` ${'A'.repeat(300_000)}`,
  '',
  'AGENT:',
  'BEGIN:VCARD',
  'N:Agent;Secret',
  'END:VCARD',
  'END:VCARD',
)
const version3 = lines(
  'BEGIN:VCARD',
  'VERSION:3.0',
  'FN:Ada Lovelace',
  'N:Lovelace;Ada;King;;',
  'item1.EMAIL;TYPE=INTERNET:old@exam',
  ' ple.com',
  'item1.X-ABLabel:_$!<Other>!$_',
  'EMAIL;type=INTERNET;type=pref:ada@example.com',
  'TEL;TYPE=WORK,VOICE:+1 415-555-0101',
  'TEL;TYPE="cell":+1 415-555-0102',
  'ADR;TYPE=WORK:;;1 Analytical Way\\, Floor 2;London;Greater London;N1;United Kingdom',
  'ADR;TYPE=HOME:;;2 Side Street;Paris;;75001;France',
  'TITLE:Countess\\, and engineer',
  'URL:https://www.linkedin.com/in/ada',
  'URL:https://analytical.example.com/about',
  'CATEGORIES:vip,"press"',
  'CATEGORIES:old\\, loyal',
  'BDAY:18151210',
  'UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1',
  'END:VCARD',
)
const version4 = lines(
  'BEGIN:VCARD',
  'VERSION:4.0',
  'FN:Grace Hopper',
  'TEL;VALUE=uri;PREF=2;TYPE="voice,home":tel:+1-415-555-0103;ext=5',
  'TEL;VALUE=uri;PREF=1:tel:+1-415-555-0104',
  'EMAIL;PREF=1:mailto:grace@example.com',
  'TZ:America/New_York',
  'ORG:Navy',
  'END:VCARD',
  'BEGIN:VCARD',
  'VERSION:4.0',
  'KIND:group',
  'FN:Friends',
  'END:VCARD',
)

describe('POST /api/crm/v1/imports with vCards', () => {
  test('reads several cards of each version', async () => {
    const { key } = await app.given.apiKey()

    const made = await uploaded(key, version2 + version3 + version4, '?file_name=people.vcf')
    const done = await imported(key, version2 + version3 + version4)

    expect(made).toMatchObject({ kind: 'vcard', sheets: [], header_row: 1 })
    expect(made.columns.map(({ name, field }: { name: string; field: string | null }) => [name, field])).toEqual([
      ['External ID', 'external_id'],
      ['Full name', 'full_name'],
      ['First name', 'first_name'],
      ['Last name', 'last_name'],
      ['Email', 'email'],
      ['Email 2', null],
      ['Phone', 'phone'],
      ['Phone 2', null],
      ['Fax', null],
      ['Job title', 'job_title'],
      ['Company name', 'company_name'],
      ['Department', null],
      ['Website', 'company_domain'],
      ['LinkedIn URL', 'linkedin_url'],
      ['Street', null],
      ['Street 2', null],
      ['City', 'city'],
      ['City 2', null],
      ['Region', 'region'],
      ['Postal code', null],
      ['Postal code 2', null],
      ['Country', 'country'],
      ['Country 2', null],
      ['Birthday', null],
      ['Tags', 'tags'],
      ['Note', null],
      ['Time zone', 'timezone'],
    ])
    expect(done).toMatchObject({ status: 'completed', created_count: 3, refused_count: 0 })
    expect((await contacts(key)).toSorted((one, other) => (one.last_name ?? '').localeCompare(other.last_name ?? ''))).toMatchObject([
      { full_name: 'Grace Hopper', email: 'grace@example.com', phone: '+14155550104', timezone: 'America/New_York' },
      {
        full_name: 'Ada Lovelace',
        first_name: 'Ada King',
        email: 'ada@example.com',
        phone: '+14155550101',
        city: 'London',
        country: 'GB',
        job_title: 'Countess, and engineer',
        company_domain: 'analytical.example.com',
        linkedin_url: 'https://www.linkedin.com/in/ada',
        tags: ['vip', '"press"', 'old, loyal'],
        external_id: '4fbe8971-0bc3-424c-9c26-36c3e1eff6b1',
      },
      { full_name: 'Jürgen Müller', phone: '+491711234567', company_name: 'Acme; Sons' },
    ])
    expect(Object.fromEntries(made.columns.map(({ name, samples }: { name: string; samples: string[] }) => [name, samples]))).toMatchObject(
      {
        Note: ['grüßt\nalle'],
        'Phone 2': ['+1 415-555-0102', '+1-415-555-0103 ext. 5'],
        Fax: ['+49 30 7654321'],
        'Street 2': ['2 Side Street'],
        Birthday: ['1815-12-10'],
      },
    )
  })

  test('reads cards that are not in UTF-8, and lines of an old Mac', async () => {
    const { key } = await app.given.apiKey()
    const card = (name: string, end: string) =>
      ['BEGIN:VCARD', 'VERSION:3.0', `N:${name};Zoë`, `EMAIL:${name[0]}@example.com`, 'END:VCARD'].join(end)

    await imported(key, Buffer.from(card('Weiß', '\n'), 'latin1'))
    await imported(key, Buffer.from(card('Lund', '\r')))

    expect((await contacts(key)).map(({ full_name }) => full_name)).toEqual(['Zoë Lund', 'Zoë Weiß'])
  })

  test('refuses a file without cards, and one that is cut off', async () => {
    const { key, orgId } = await app.given.apiKey()

    const answers = [
      await upload(key, lines('BEGIN:VCARD', 'VERSION:3.0', 'END:VCARD')),
      await upload(key, lines('BEGIN:VCARD', 'VERSION:3.0', 'FN:Ada')),
      await upload(key, `BEGIN:VCARD\nNOTE:${'x'.repeat(5_000_000)}\nEND:VCARD`),
    ]

    expect(answers.map(({ status, body }) => [status, body.detail[0].msg])).toEqual([
      [422, 'The file has no vCard with a name, an address or a number'],
      [422, 'The last vCard has no end: the file is cut off. Export it again, and upload that'],
      [422, 'The file has no vCard with a name, an address or a number'],
    ])
    expect(await app.services.database.prisma.upload.count({ where: { orgId } })).toBe(0)
  })
})
