// Names and numbers are found however they are written, in the query or in the contact.

import { describe, expect, test } from 'vitest'
import { searchable } from '../../src/kernel/search/fold.ts'
import { phoneKey } from '../../src/kernel/search/numbers.ts'
import { type Json, openApp } from '../support/app.ts'
import { query } from '../support/database/database.ts'
import { givenCallFixture } from '../voice/call-fixture.ts'
import { report, secretOf } from '../voice/report.ts'
import { type Client, clientIn } from './client.ts'

const app = await openApp()

const listed = async (client: Client, filter: Json): Promise<string[]> =>
  (
    await client.data('query ($filter: ContactFilter) { contacts(filter: $filter, first: 20) { nodes { externalId } } }', { filter })
  ).contacts.nodes
    .map(({ externalId }: Json) => externalId)
    .toSorted()
const found = async (client: Client, text: string): Promise<string[]> =>
  (
    await client.data('query ($text: String!) { search(query: $text, first: 20) { nodes { entity { ... on Contact { externalId } } } } }', {
      text,
    })
  ).search.nodes
    .map(({ entity }: Json) => entity.externalId)
    .toSorted()

describe('a name', () => {
  test.each([
    ['Łukasz Żółw', 'lukasz zolw'],
    ['Lukasz Zolw', 'Łukasz'],
    ['Søren Kjær', 'soren kjaer'],
    ['Soren Kjaer', 'Søren Kjær'],
    ['Đorđe Đurić', 'dorde duric'],
    ['Ayşe Yıldız', 'yildiz'],
    ['Guðrún Þórsdóttir', 'gudrun thorsdottir'],
    ['Anna Weiß', 'WEISS'],
    ['Cœur Lebœuf', 'leboeuf'],
    ["Conan O'Brien", 'O’Brien'],
    ['Conan O’Brien', "o'brien"],
    ['Conan OʼBrien', 'O`Brien'],
    ['王小明', '小明'],
    ['王小明', '明'],
    ['田中太郎', '太郎'],
    ['김철수', '철수'],
    ['諸葛孔明', '孔明'],
    ["Sinéad O'Brien", 'OBrien'],
    ['Sinéad OBrien', 'o’brien'],
    ['Anne-Marie Dupont', 'Anne–Marie'],
    ['Anne\u2011Marie Dupont', 'anne-marie'],
    ['Anne-Marie Dupont', 'annemarie'],
    ['Annemarie Dupont', 'anne-marie'],
    ['J. R. R. Tolkien', 'jrr tolkien'],
    ['JRR Tolkien', 'J.R.R. Tolkien'],
    ['Ada King', 'King, Ada'],
    ['Ɓala Ɗan Ƙofa', 'bala dan kofa'],
    ['Ma\u00adry A\u200bnn', 'mary ann'],
    ['김 철수', '김철수'],
    ['小明 王', '王小明'],
    ['李·明', '李明'],
    ['ﾀﾅｶ ﾀﾛｳ', 'タロウ'],
    ['Фёдор Йовков', 'федор иовков'],
    ['ΓΙΩΡΓΟΣ', 'γιωργος'],
    ['Işık İnan', 'ISIK INAN'],
    ['Jean Luc Picard', 'Jean-Luc'],
    ['Conan O Brien', "O'Brien"],
    ['Procter & Gamble', 'Procter&Gamble'],
    ['Fry&Laurie', 'Fry & Laurie'],
    ['John F Kennedy', 'John F. Kennedy'],
    ['J R R Tolkien', 'J.R.R. Tolkien'],
    ['Robert Smith Jr', 'Smith, Jr.'],
    ['Ada Lovelace', '"Ada Lovelace"'],
    ['Robert Smith', '“Robert” (Smith)'],
    ['Anna Müller', 'Mueller'],
    ['Åse Sørensen', 'aase soerensen'],
    ['أحمد', 'احمد'],
    ['مُحَمَّد', 'محمد'],
    ['محـــمد', 'محمد'],
    ['فاطمة', 'فاطمه'],
    ['علی کریمی', 'علي كريمي'],
    ['צ׳רלי בן־גוריון', "צ'רלי בן-גוריון"],
    ['רמב״ם', 'רמב"ם'],
    ['Ґалаґан', 'Галаган'],
    ['さとう はなこ', 'サトウ'],
    ['ガーデン', 'がーでん'],
    ['髙橋', '高橋'],
    ['山田　太郎', '山田太郎'],
    ['ジョン スミス', 'ジョン・スミス'],
    ['สมชาย ใจดี', 'สมชาย'],
  ])('%s is found by %s', async (fullName, text) => {
    const client = await clientIn(app)
    await client.create({ fullName, externalId: 'one' })
    await client.create({ fullName: 'Somebody Else', externalId: 'other' })

    expect([await listed(client, { q: text }), await found(client, text)]).toEqual([['one'], ['one']])
  })
})

test('a name with an umlaut is found in a list by those who write two letters, and the other way round', async () => {
  const client = await clientIn(app)
  await client.create({ fullName: 'Anna Müller', externalId: 'one' })
  await client.create({ fullName: 'Bert Mueller', externalId: 'two' })

  expect([await listed(client, { q: 'müller' }), await listed(client, { q: 'mueller' })]).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ])
})

test('an address of a domain with other letters is found in either form', async () => {
  const client = await clientIn(app)
  await client.create({ email: 'ada@müller.example', externalId: 'one' })

  expect([
    await listed(client, { email: 'ADA@Müller.example' }),
    await listed(client, { email: 'ada@xn--mller-kva.example' }),
    await listed(client, { q: 'muller' }),
    await listed(client, { q: 'ada@müller.example' }),
    await listed(client, { q: 'mailto:ada@müller.example' }),
    await found(client, '<ada@müller.example>'),
  ]).toEqual([['one'], ['one'], ['one'], ['one'], ['one'], ['one']])
})

describe('a telephone number', () => {
  const german = [
    '+49 171 1234567',
    '0049 171 1234567',
    '0171 1234567',
    '0171/1234567',
    '(0171) 123-45 67',
    '+491711234567',
    '+49 (0)171 1234567',
  ]
  test.each([
    ...german,
    '+49 171 1234567 ext. 12',
    '1711234567',
    '(+49) 171 1234567',
    '0171 1234567 (ext. 5)',
    '0171 1234567;ext=5',
  ])('of Germany is found by %s', async text => {
    const client = await clientIn(app)
    await client.create({ phone: '+491711234567', externalId: 'one' })
    await client.create({ phone: '0171 1234567', externalId: 'national' })
    await client.create({ phone: '+441711234567', externalId: 'british' })

    const isNational = !/^\(?(\+|00)/.test(text)
    const same = isNational ? ['british', 'national', 'one'] : ['national', 'one']
    expect(await listed(client, { phone: text })).toEqual(same)
    expect(await listed(client, { q: text })).toEqual(['british', 'national', 'one'])
    expect(await found(client, text)).toEqual(['british', 'national', 'one'])
  })

  test.each([
    '(202) 555-0142',
    '202.555.0142',
    '1 202 555 0142',
    '+1 (202) 555-0142',
    '202-555-0142 x5',
    'tel:202-555-0142',
    '202•555•0142',
    '[202] 555 0142',
    '٢٠٢ ٥٥٥ ٠١٤٢',
    '２０２ ５５５ ０１４２',
  ])('of the US is found by %s', async text => {
    const client = await clientIn(app)
    await client.create({ phone: '+12025550142', externalId: 'one' })
    await client.create({ phone: '+12025550143', externalId: 'other' })

    expect([await listed(client, { phone: text }), await listed(client, { q: text }), await found(client, text)]).toEqual([
      ['one'],
      ['one'],
      ['one'],
    ])
  })

  test('is found by its first digits, in quotes, with a point behind it, and without its +', async () => {
    const client = await clientIn(app)
    await client.create({ phone: '+491711234567', externalId: 'one' })
    await client.create({ phone: '+12025550142', externalId: 'other' })

    for (const text of ['0171', '0171 1', '0171 1234567,', '"+49 171 1234567"', '0171 1234567.', '49 171 1234567', '491711234567'])
      expect([text, await listed(client, { q: text }), await found(client, text)]).toEqual([text, ['one'], ['one']])
    for (const text of ['49 171 1234567', '491711234567', '0171 1234567'])
      expect([text, await listed(client, { phone: text })]).toEqual([text, ['one']])
  })

  test('in either form makes duplicates, and in two countries does not', async () => {
    const client = await clientIn(app)
    await client.create({ firstName: 'Ada', phone: '+491711234567', externalId: 'one' })
    await client.create({ firstName: 'Bo', phone: '0171 123 45 67', externalId: 'two' })
    await client.create({ firstName: 'Cy', phone: '+12025550142', externalId: 'us' })
    await client.create({ firstName: 'Di', phone: '+442025550142', externalId: 'gb' })

    const { findDuplicates } = await client.data(
      '{ findDuplicates(first: 10) { nodes { reasons contact { externalId } duplicate { externalId } } } }',
    )

    expect(findDuplicates.nodes).toEqual([{ reasons: ['PHONE'], contact: { externalId: 'one' }, duplicate: { externalId: 'two' } }])
  })
})

test('the database folds texts and numbers as queries are folded', async () => {
  const texts = [
    'Łukasz',
    'SØREN Kjær',
    'Weiß',
    'O’Brien ‘x’ `y´',
    'Yıldız İ',
    'Þór',
    'Œuvre',
    '김철수',
    'Ærø',
    'ΟΔΥΣΣΕΥΣ',
    'Nguyễn Đức',
    'Anne‑Marie–x−y',
    'ƁƊƘ ɓɗƙ',
    'ȺȾ',
    'a\u00adb\u200bc',
    'مُحَمَّد أحمد فاطمة علی محـــمد',
    'שָׁלוֹם צ׳ רמב״ם בן־גוריון',
    'ガーデン サトウ がき ﾀﾅｶ ジョン・スミス ヽ',
    'น้ำทิพย์ สวัสดี',
    'नमस्ते राम',
    'Ґалаґан їжак',
    '髙﨑𠮷',
    'Gal·la',
    // All letters, marks and digits that are not for sure unused.
    ...Array.from({ length: 0x100 }, (_, page) =>
      Array.from({ length: 0x100 }, (_one, index) => String.fromCharCode(page * 0x100 + index))
        .filter(character => /\p{M}/u.test(character))
        .map(mark => `x${mark}y`)
        .join(''),
    ),
  ]
  const phones = [
    '+49 171 1234567',
    '0049171123456',
    '0171/123',
    '1 202 555 0142',
    '+12025550142',
    '8 912 345-67-89',
    '+7 912 3456789',
    '+49 (0)30 1',
    '0044',
    '000',
  ]

  const folded = await query(
    app.database.url,
    'select search_fold(text) as text from unnest($1::text[]) with ordinality as given (text, n) order by n',
    [texts],
  )
  const keys = await query(
    app.database.url,
    'select phone_key(text) as key from unnest($1::text[]) with ordinality as given (text, n) order by n',
    [phones],
  )

  expect(folded.map(({ text }: Json) => text)).toEqual(texts.map(searchable))
  expect(keys.map(({ key }: Json) => key)).toEqual(phones.map(phoneKey))
})

describe('of a long text the first 100,000 letters are searched, however they are written', () => {
  const hasWord = async (content: string, word: string) =>
    (await query<{ found: boolean }>(app.database.url, 'select search_words($1) @@ $2::tsquery as found', [content, `'${word}'`]))[0]?.found

  test.each([
    ['letters with their marks apart', 'Zoe\u0308 Muller\u0308 '.repeat(8000)],
    ['ligatures', 'o\ufb00 e\ufb03 '.repeat(10_000)],
    ['letters that are one character', 'Zoë Muller '.repeat(8000)],
  ])('%s', async (_name, before) => {
    expect(await hasWord(`${before}lighthouse`, 'lighthouse')).toBe(true)
  })

  test('and a word across the end is cut there, after what a ligature stands for', async () => {
    const content = `${'\ufb00 '.repeat(33_332)}abc\ufb03xyz`
    expect([await hasWord(content, 'abcf'), await hasWord(content, 'abcffi')]).toEqual([true, false])
  })

  test('and letters that stand for many are no more than the index takes', async () => {
    const content = Array.from({ length: 15_000 }, (_word, n) => `\ufdfa\ufdfa${n}`).join(' ')
    expect(await hasWord(`lighthouse ${content}`, 'lighthouse')).toBe(true)
  })

  test.each([
    ['วันนี้โทรหา สวัสดี', 'สวัสดี'],
    ['नमस्ते राम', 'नमस्ते'],
    ['アポ ガーデン', 'がーでん'],
    ['اتصل أحمد', 'احمد'],
  ])('a note in another script is found: %s', async (content, word) => {
    expect(await hasWord(content, searchable(word))).toBe(true)
  })

  test('a call is found by words behind 50,000 letters with marks', async () => {
    const fixture = await givenCallFixture(app)
    const { id } = await fixture.call()
    const lines = Array.from({ length: 11 }, () => ({ role: 'user', text: 'Zoe\u0308 '.repeat(1900) }))
    await report(app, await secretOf(app, fixture), { call_id: id, transcript: [...lines, { role: 'user', text: 'A lighthouse.' }] })

    const { body } = await app.graphql('{ search(query: "lighthouse", first: 5) { nodes { entityId } } }', {}, fixture)

    expect(body.data.search.nodes).toEqual([{ entityId: id }])
  })
})

test('the migration refreshes older contacts, and writes give new ones the same text', async () => {
  const client = await clientIn(app)
  await client.create({ fullName: '王小明', externalId: 'chinese' })
  await client.create({ fullName: 'Łukasz O’Neil', phone: '0171 123', externalId: 'polish' })
  await client.create({ fullName: 'J. R. R. Toł-Kien', companyName: 'AT&T', externalId: 'signs' })
  await client.create({ fullName: 'Åse Müller-Lüdenscheidt', companyName: 'サトウ', externalId: 'umlauts' })
  await client.create({ fullName: 'J R Smith', externalId: 'initials' })
  const names =
    "coalesce(full_name, '') || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company_name, '')"
  const refresh = `update contacts set search_text = contact_search_refreshed(search_text, ${names}, phone)
    where org_id = $1 and search_text is distinct from contact_search_refreshed(search_text, ${names}, phone) returning id`

  const apart = names.replaceAll("|| ' ' ||", "|| ' | ' ||")
  const respell = `update contacts set search_text = contact_search_respelt(search_text, ${apart})
    where org_id = $1 and search_text is distinct from contact_search_respelt(search_text, ${apart}) returning id`

  const fresh = [...(await query(app.database.url, refresh, [client.orgId])), ...(await query(app.database.url, respell, [client.orgId]))]
  await query(app.database.url, `update contacts set search_text = concat_ws(' ', lower(full_name), phone) where org_id = $1`, [
    client.orgId,
  ])
  const stale = await query(app.database.url, refresh, [client.orgId])
  const again = await query(app.database.url, refresh, [client.orgId])
  const respelt = await query(app.database.url, respell, [client.orgId])
  const last = await query(app.database.url, respell, [client.orgId])

  expect([fresh.length, stale.length, again.length, respelt.length, last.length]).toEqual([0, 4, 0, 4, 0])
  expect([
    await listed(client, { q: '小明' }),
    await listed(client, { q: "lukasz o'neil" }),
    await listed(client, { q: '0171-12 3' }),
    await listed(client, { q: 'oneil' }),
    await listed(client, { q: 'tolkien jrr' }),
    await listed(client, { q: 'att' }),
    await listed(client, { q: 'aase muellerluedenscheidt' }),
    await listed(client, { q: 'jr smith' }),
  ]).toEqual([['chinese'], ['polish'], ['polish'], ['polish'], ['signs'], ['signs'], ['umlauts'], ['initials']])
})
