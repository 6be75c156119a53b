// Long messages are split where a reader would split them.

import { describe, expect, test } from 'vitest'
import { split } from '../../../src/gateway/delivery/split.ts'

describe('splitting', () => {
  test.each([
    ['nothing', '  \n ', 5, []],
    ['what fits', '\n fits \n', 10, [' fits']],
    ['at line ends', 'first line\nsecond line', 12, ['first line', 'second line']],
    ['at paragraphs rather', 'one\ntwo\n\nthree', 12, ['one\ntwo', 'three']],
    ['at blanks', 'aaa bbb ccc ddd', 8, ['aaa bbb', 'ccc ddd']],
    ['in the middle of what has none', 'abcdefgh', 3, ['abc', 'def', 'gh']],
    ['between characters', '🦜🦜🦜', 2, ['🦜🦜', '🦜']],
  ])('%s', (_what, text, limit, pieces) => {
    expect(split(text, { limit, unit: 'characters' })).toEqual(pieces)
  })

  test('counts as the channel does', () => {
    expect(split('🦜🦜🦜', { limit: 4, unit: 'utf16' })).toEqual(['🦜🦜', '🦜'])
    expect(split('🦜🦜🦜', { limit: 11, unit: 'bytes' })).toEqual(['🦜🦜', '🦜'])
    expect(split('🦜', { limit: 1, unit: 'bytes' })).toEqual(['🦜'])
  })

  test.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a flag', '🇩🇪'],
    ['a skin tone', '👍🏽'],
    ['an accent', 'e\u0301'],
    ['a syllable of Hindi', 'क्षि'],
  ])('never cuts %s', (_what, grapheme) => {
    const parts = split(grapheme.repeat(50), { limit: 25, unit: 'utf16' })

    expect(parts.every(part => part.length <= 25 && part.length % grapheme.length === 0)).toBe(true)
    expect(parts.join('')).toBe(grapheme.repeat(50))
  })

  test('closes and opens a fence, with its language, and keeps the indentation', () => {
    const code = Array.from({ length: 90 }, (_, index) => `    value_${index} = compute(item_${index})  # step`)
    const parts = split(`Here it is:\n\`\`\`python\n${code.join('\n')}\n\`\`\`\nThat is all.`, { limit: 2000, unit: 'characters' })

    expect(parts.map(part => [...part].length <= 2000)).toEqual([true, true])
    expect(parts.map(part => part.split('\n').filter(line => line.startsWith('```')))).toEqual([
      ['```python', '```'],
      ['```python', '```'],
    ])
    expect(parts.flatMap(part => part.split('\n').filter(line => line.startsWith('    ')))).toEqual(code)
    expect([parts[0]?.split('\n')[0], parts[1]?.split('\n').at(-1)]).toEqual(['Here it is:', 'That is all.'])
  })

  test.each([
    ['a fence of tildes', '~~~sh\naaaa\nbbbb\ncccc\ndddd\n~~~', ['~~~sh\naaaa\nbbbb\n~~~', '~~~sh\ncccc\ndddd\n~~~']],
    ['a fence with more marks', '````\n```\naaaaa\nbbbbb\nc\n````', ['````\n```\naaaaa\n````', '````\nbbbbb\nc\n````']],
    ['a fence that begins at the limit', 'aaaaaaaaa bbbbb\n```\nb\n```', ['aaaaaaaaa bbbbb', '```\nb\n```']],
    ['blank lines in code', '```\naaaa\n\n\nbbbb\nccc\n```', ['```\naaaa\n\n```', '```\n\nbbbb\nccc\n```']],
    ['a fence without an end', '```\naaaa\nbbbb\ncccc\ndddd', ['```\naaaa\nbbbb\n```', '```\ncccc\ndddd']],
    ['a fence for which there is no room', '```typescript\naaaa\nbbbb\n```', ['```typescript\naaaa', 'bbbb\n```']],
  ])('%s', (_what, text, parts) => {
    expect(split(text, { limit: 21, unit: 'utf16' })).toEqual(parts)
  })

  test.each([
    [
      'a fence in the line of a list item',
      '- ```sh\n  aaa\n  b\n  ```\nbbb ccc ddd eee fff ggg hhh',
      ['- ```sh\n  aaa\n  b\n  ```', 'bbb ccc ddd eee fff ggg hhh'],
    ],
    [
      'code in a numbered item',
      '1. ```sh\n   aaaa\n   bbbb\n   cccc\n   dddd\n   ```\n2. x',
      ['1. ```sh\n   aaaa\n   bbbb\n   cccc\n   ```', '   ```sh\n   dddd\n   ```\n2. x'],
    ],
    [
      'a fence in a quote',
      '> ```sh\n> aaaaa\n> bbbbb\n> ccccc\n> ddd\n> ```\ne',
      ['> ```sh\n> aaaaa\n> bbbbb\n> ccccc\n> ```', '> ```sh\n> ddd\n> ```\ne'],
    ],
    [
      'a quote that ends without its fence',
      '> ```\n> aaa\nbbbb cccc dddd eeee ffff gggg hhhh',
      ['> ```\n> aaa\nbbbb cccc dddd eeee ffff', 'gggg hhhh'],
    ],
    [
      'a line that opens a fence and is too long',
      `~~~a ${'b'.repeat(45)}\nc\n~~~`,
      [`~~~a ${'b'.repeat(35)}`, `${'b'.repeat(10)}\nc\n~~~`],
    ],
  ])('%s', (_what, text, parts) => {
    expect(split(text, { limit: 40, unit: 'utf16' })).toEqual(parts)
  })

  test.each([
    [
      'with blanks in its label',
      'Please see [the long invoice](https://a.example/1) now',
      ['Please see', '[the long invoice](https://a.example/1)', 'now'],
    ],
    [
      'behind a short text',
      'Look: https://a.example/a/very/long/path/ok and go',
      ['Look:', 'https://a.example/a/very/long/path/ok', 'and go'],
    ],
    ['with parentheses', 'The page is at [w](https://a.example/a_(b)) and so', ['The page is at', '[w](https://a.example/a_(b)) and so']],
    ['of code with blanks', 'Please run `npm run build -- --watch` as root', ['Please run `npm run build -- --watch` as', 'root']],
    ['of code at the limit', 'Please run it as `npm run build -- --watch`, then', ['Please run it as', '`npm run build -- --watch`, then']],
    ['of bold text', 'The total of all is **four hundred and five** euros', ['The total of all is', '**four hundred and five** euros']],
  ])('does not cut a link, code or bold text: %s', (_what, text, parts) => {
    expect(split(text, { limit: 40, unit: 'utf16' })).toEqual(parts)
  })

  test.each([
    ['lines of Windows', 'aaaaaa\r\nbbbbbb\r\n\r\ncccc dddd', ['aaaaaa\nbbbbbb', 'cccc dddd']],
    ['a quote of one line', '> aaa bbb ccc ddd eee fff ggg', ['> aaa bbb ccc ddd', '> eee fff ggg']],
    ['a quote in a quote', '> > aaa bbb ccc ddd eee fff', ['> > aaa bbb ccc ddd', '> > eee fff']],
    ['a prompt in code', '```\n> aaa bbb ccc ddd\n```', ['```\n> aaa bbb\n```', '```\n ccc ddd\n```']],
  ])('%s', (_what, text, parts) => {
    expect(split(text, { limit: 20, unit: 'utf16' })).toEqual(parts)
  })

  test('loses nothing of a long text', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `word${index}`).join(' ')
    const pieces = split(text, { limit: 4096, unit: 'utf16' })

    expect(pieces.every(piece => piece.length <= 4096)).toBe(true)
    expect(pieces.join(' ')).toBe(text)
  })
})
