// Links in replies: in every spelling, a link that is not allowed is written so that nothing opens it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressesIn, defang } from '../../../src/gateway/delivery/links.ts'

const policy = {
  allowedHosts: ['acme.example', '*.docs.example'],
  known: new Set(['https://www.linkedin.example/in/ada', 'https://cdn.example/a?b=1', 'ada@example.com', 'customer.com']),
}

test.each([
  ['See https://evil.example/?q=ada@example.com now.', 'See hxxps://evil[.]example/?q=ada[@]example[.]com now.'],
  ['[report](https://evil.example/x)', '[report](hxxps://evil[.]example/x)'],
  ['[https://acme.example](https://evil.example/x)', '[https://acme.example](hxxps://evil[.]example/x)'],
  ['![](http://evil.example/a.png?d=1)', '![](hxxp://evil[.]example/a[.]png?d=1)'],
  ['[x](//evil.example/y)', '[x](//evil[.]example/y)'],
  ['[x](evil.example/y)', '[x](evil[.]example/y)'],
  ['<https://evil.example|label>', '<hxxps://evil[.]example|label>'],
  ['evil.example/path and evil.example?q=1', 'evil[.]example/path and evil[.]example?q=1'],
  ['www.evil.example', 'www[.]evil[.]example'],
  ['10.0.0.1:8080/x?d=1', '10[.]0[.]0[.]1:8080/x?d=1'],
  ['HTTPS://EVIL.example', 'hxxpS://EVIL[.]example'],
  ['ftp://evil.example/x tg://resolve?domain=evil', 'ftp[:]//evil[.]example/x tg[:]//resolve?domain=evil'],
  ['https://acme.example@evil.example/x', 'hxxps://acme[.]example[@]evil[.]example/x'],
  ['https://acme.example\\@evil.example/x', 'hxxps://acme[.]example\\[@]evil[.]example/x'],
  ['https:\\\\evil.example', 'hxxps:\\\\evil[.]example'],
  ['https://evil。example/x', 'hxxps://evil[.]example/x'],
  ['https://acme.example。evil.example/x', 'hxxps://acme[.]example[.]evil[.]example/x'],
  ['ｈｔｔｐｓ：／／evil.example', 'hxxps://evil[.]example'],
  ['https://acme.example/?u=https://evil.example', 'https://acme.example/?u=hxxps://evil[.]example'],
  ['https://acme.example.evil.example', 'hxxps://acme[.]example[.]evil[.]example'],
  ['https://docs.example/x', 'hxxps://docs[.]example/x'],
  ['https://xn--e1afmkfd.xn--p1ai/x', 'hxxps://xn--e1afmkfd[.]xn--p1ai/x'],
  ['(https://evil.example/x).', '(hxxps://evil[.]example/x).'],
  ['https://cdn.example/a?b=2', 'hxxps://cdn[.]example/a?b=2'],
  ['a@evil.example/x', 'a[@]evil[.]example/x'],
  ['data.evil.xyz', 'data[.]evil[.]xyz'],
  ['ada.engines.evil.io', 'ada[.]engines[.]evil[.]io'],
  ['It is at (data.evil.com).', 'It is at (data[.]evil[.]com).'],
  ['a,evil.com;evil.org=evil.net', 'a,evil[.]com;evil[.]org=evil[.]net'],
  ['evil.com:8080', 'evil[.]com:8080'],
  ['evil.co.uk', 'evil[.]co[.]uk'],
  ['ada_b.evil.COM', 'ada_b[.]evil[.]COM'],
  ['[t](evil.xyz)', '[t](evil[.]xyz)'],
  ['[t](https://acme.example/x)evil.xyz', '[t](https://acme.example/x)evil[.]xyz'],
  ['[t](acme.example/x)evil.xyz', '[t](acme.example/x)evil[.]xyz'],
  ['https:/evil.com/x', 'hxxps:/evil[.]com/x'],
  ['http:evil.com', 'hxxp:evil[.]com'],
  ['http:\\evil/x', 'hxxp:\\evil/x'],
  ['https:acme.example', 'hxxps:acme[.]example'],
  ['203.0.113.7', '203[.]0[.]113[.]7'],
  ['evil.рф', 'evil[.]рф'],
  ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd[.]xn--p1ai'],
  ['evil。com', 'evil[.]com'],
  ['evil｡com', 'evil[.]com'],
  ['好。看evil.com吧。好', '好。看evil[.]com吧。好'],
  ['data.evil.com。See data.evil.com。好', 'data[.]evil[.]com。See data[.]evil[.]com。好'],
  ['evil.md:8080', 'evil[.]md:8080'],
  ['mailto:x@evil.com', 'mailto[:]x[@]evil[.]com'],
  ['mailto:ada@example.com?bcc=x@evil.com', 'mailto[:]ada[@]example[.]com?bcc=x[@]evil[.]com'],
  ['[t](mailto:x%40evil.com)', '[t](mailto[:]x%40evil[.]com)'],
  ['x@evil.com', 'x[@]evil[.]com'],
  ['acme.example@evil.com', 'acme[.]example[@]evil[.]com'],
  ['ada.customer.com', 'ada[.]customer[.]com'],
  ['ada.evil.md and evil.md/ada', 'ada[.]evil[.]md and evil[.]md/ada'],
  ['acme.example.evil.com', 'acme[.]example[.]evil[.]com'],
])('%s becomes %s', (text, expected) => {
  expect(defang(text, policy)).toBe(expected)
})

test.each([
  'Write to ada@example.com, or call +1 555 010 0001.',
  'Node.js 24.1 is out; see README.md and/or src/main.ts, 3/4 of it. 12:30, 1.5, e.g. this... and that…',
  'https://acme.example/orders?id=7#top, (https://acme.example) and [it](http://a.docs.example/b).',
  'https://www.linkedin.example/in/ada. https://cdn.example/a?b=1',
  'acme.example/orders/7',
  'acme.example, eve@acme.example or mailto:eve@acme.example?subject=Hi; customer.com, (mailto:ada@example.com).',
  'Versions 1.2.3 and v24.1.0-rc.1, 1.234.567,89 and 12.11.2026, 10.5%, +1.555.010.0001.',
  'E.g., i.e. the U.S. at 5 p.m., Ph.D. and a.k.a., no.7, see p.12.',
  'README.md, setup.sh, src/main.ts:12, links.test.ts, index.html, data.csv, report.v2.pdf, logo.png, ci.yaml, a.tar.gz',
  'It is done.Then we went on...and on. 完成。下一个。',
  'ｆｕｌｌ width stays',
])('stays as it is: %s', text => {
  expect(defang(text, policy)).toBe(text)
})

test('no address that a client would open is left, whatever the text around it', () => {
  const around = fc.stringMatching(/^[ a-z()[\]"'.,!*_-]{0,6}$/)
  fc.assert(
    fc.property(around, fc.constantFrom('https://evil.example/x', 'http://evil.example', 'ftp://evil.example/y'), around, (a, link, b) => {
      expect(defang(`${a}${link}${b}`, policy)).not.toContain(link)
    }),
    { numRuns: 2000 },
  )
})

test('the time grows linearly with the text', () => {
  // CPU time, which other work on the machine does not count into.
  const cpuMs = (text: string): number => {
    const before = process.cpuUsage().user
    defang(text, policy)
    return (process.cpuUsage().user - before) / 1000
  }
  const texts: [part: string, times: number, first?: string, last?: string][] = [
    ['a', 500_000],
    ['a.', 250_000],
    ['a:', 250_000],
    ['/', 500_000],
    ['a.b/', 100_000],
    ['@', 500_000],
    ['a.com,', 80_000],
    ['a.b。', 100_000],
    ['_.', 40_000],
    ['_。', 20_000],
    ['a-_.', 20_000],
    ['.', 500_000, 'a.com/', 'x'],
    ['x)', 200_000, 'https://'],
  ]
  for (const [part, times, first = '', last = ''] of texts) {
    const [short, long] = [times / 4, times].map(times => cpuMs(first + part.repeat(times) + last)) as [number, number]
    // Quadratic is 16 times as long. 50 ms: below that the collector decides.
    expect([part, long < 50 || long / short < 10]).toEqual([part, true])
  }
})

test('addresses in data are values that are an address as a whole', () => {
  expect([...addressesIn([{ a: ['https://x.example/1', 'see https://y.example'] }, 'http://z.example', null, 7])]).toEqual([
    'https://x.example/1',
    'http://z.example',
  ])
})
