// The HTML of notes in files of other systems becomes plain text.

import { describe, expect, test } from 'vitest'
import { textOfMarkup } from '../../../../src/contacts/imports/cells/records/markup.ts'

describe('textOfMarkup', () => {
  test.each([
    ['<p>Wants <b>two</b> trucks.</p><p>Call in May.</p>', 'Wants two trucks.\nCall in May.'],
    ['<div>One<br>Two<br/>Three</div>', 'One\nTwo\nThree'],
    ['<p>Above</p><p><br></p><p>Below</p>', 'Above\n\nBelow'],
    ['<p>over\n   two lines</p>\n<p>next</p>', 'over two lines\nnext'],
    ['first line\nsecond <b>bold</b> line', 'first line\nsecond bold line'],
    ['<ul><li>One</li><li><p>Two</p></li></ul>', '- One\n- Two'],
    ['<table><tr><td>Price</td><td>5&nbsp;EUR</td></tr></table>', 'Price 5 EUR'],
    ['<p>Fish &amp; chips &lt;today&gt; &#8364;5 &eacute;</p>', 'Fish & chips <today> €5 é'],
    ['<p>see <a href="https://example.com/?a=1&amp;b=2">the offer</a></p>', 'see the offer (https://example.com/?a=1&b=2)'],
    ['<a href="https://example.com">https://example.com</a>', 'https://example.com'],
    ['<a href="javascript:alert(1)">Press</a>', 'Press'],
    ['<p title="a > b">Attributes &gt; with marks</p>', 'Attributes > with marks'],
    ['<style>p { color: red }</style><p>Seen<!-- not seen --></p><script>if (a < b) c()</script>', 'Seen'],
    ['<p>Write to <ada@example.com> <o:p></o:p></p>', 'Write to <ada@example.com>'],
  ])('%j', (markup, text) => {
    expect(textOfMarkup(markup)).toBe(text)
  })

  test.each([
    'a < b, and c > d',
    'Ada <ada@example.com> &amp; Ben',
    'x <- y',
    '1 <2>',
    '',
  ])('leaves text without HTML as it is: %j', text => {
    expect(textOfMarkup(text)).toBe(text)
  })

  test.each([
    ['<', '<'.repeat(1_000_000)],
    ['<p>', '<p>'.repeat(300_000)],
    ['</p>', '</p>'.repeat(250_000)],
    ['nested elements, closed in another order', '<b><i>'.repeat(80_000) + '</b></i>'.repeat(60_000)],
    ['<!--', `<p>x</p>${'<!--'.repeat(250_000)}`],
    ['an attribute without an end', `<p a="${'<'.repeat(1_000_000)}`],
    ['a long address', `<a href="https://${'a'.repeat(500_000)}">${'a'.repeat(490_000)}</a>`],
    ['&', `<p>${'&'.repeat(1_000_000)}`],
    ['links', '<a href="https://a.example">a'.repeat(30_000)],
    ['line ends', `<p>${'\n'.repeat(1_000_000)}<br>`],
  ])('takes time in proportion to 1 MB of %s', (_name, hostile) => {
    const began = performance.now()
    const text = textOfMarkup(hostile)

    // 20 to 100 ms. What looks back at each mark takes minutes.
    expect(performance.now() - began).toBeLessThan(3000)
    expect(text.length).toBeLessThanOrEqual(hostile.length)
  })
})
