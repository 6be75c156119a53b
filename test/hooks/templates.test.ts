// Templates: for any payload they read own properties only, and never throw.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileTemplate, type TemplateScope } from '../../src/hooks/mappings/templates.ts'
import { parsePath, valueAt } from '../../src/kernel/input/templates.ts'

const scope = (payload: unknown, more: Partial<TemplateScope> = {}): TemplateScope => ({
  path: 'github',
  now: '2026-11-20T10:00:00.000Z',
  headers: { 'x-event': 'push' },
  query: { a: '1' },
  payload,
  ...more,
})
const render = (template: string, payload: unknown = {}, more: Partial<TemplateScope> = {}) =>
  compileTemplate(template)(scope(payload, more))

describe('a placeholder', () => {
  test.each([
    ['{{path}}', 'github'],
    ['{{ now }}', '2026-11-20T10:00:00.000Z'],
    ['{{headers.x-event}} {{headers.X-Event}}', 'push push'],
    ['{{query.a}}', '1'],
    ['{{a.b[0].c}}', 'deep'],
    ['{{a["b"][0]["c"]}}', 'deep'],
    ['{{payload.a.b[0].c}}', 'deep'],
    ['{{a.b}}', '[{"c":"deep"}]'],
    ['{{n}} {{t}} {{f}} {{nothing}}|', '0 true false |'],
    ['{{missing}}{{a.b[7].c}}{{a.missing.c}}|', '|'],
    ['{{a.b.length}}{{s.length}}{{constructor}}{{__proto__}}{{a.toString}}|', '|'],
    ['{{payload.path}} {{headers.authorization}}|', 'mine |'],
    ['no placeholders, {single} or }} alone', 'no placeholders, {single} or }} alone'],
  ])('%s is %j', (template, text) => {
    expect(render(template, { a: { b: [{ c: 'deep' }] }, n: 0, t: true, f: false, nothing: null, s: 'text', path: 'mine' })).toBe(text)
  })

  test('item and index are the element’s where there is one, else the payload’s', () => {
    expect(render('{{item.id}} {{index}}', { item: { id: 'payload' } }, { item: { id: 'element' }, index: 3 })).toBe('element 3')
    expect(render('{{item.id}} {{index}}|', { item: { id: 'payload' } })).toBe('payload |')
  })

  test.each([
    '{{}}',
    '{{a.}}',
    '{{.a}}',
    '{{a b}}',
    '{{#if a}}',
    '{{a|upper}}',
    '{{a[}}',
    '{{a[-1]}}',
    '{{a[x]}}',
    '{{a()}}',
    '{{a..b}}',
  ])('%s is none', template => expect(() => compileTemplate(template)).toThrow(/is no path/))

  test('in a value is text: it is not read again', () => {
    expect(render('{{a}}', { a: '{{b}} $& $1', b: 'secret' })).toBe('{{b}} $& $1')
  })
})

const names = fc.oneof(
  fc.constantFrom('constructor', '__proto__', 'prototype', 'length', 'toString', 'a', 'b'),
  fc.string({ maxLength: 5 }),
)

test('paths find own properties only, at every step', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.oneof(names, fc.nat(3)), { minLength: 1, maxLength: 4 }), (value, path) => {
      let expected: unknown = value
      for (const name of path) {
        const isElement = Array.isArray(expected) && /^\d+$/.test(String(name))
        const isField = expected !== null && typeof expected === 'object' && !Array.isArray(expected)
        expected =
          (isElement || isField) && Object.hasOwn(expected as object, name)
            ? (expected as Record<string | number, unknown>)[name]
            : undefined
        if (expected === undefined) break
      }
      expect(valueAt(value, path)).toBe(expected)
    }),
  )
})

test('any template either has a problem or renders any payload', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '.', '[', ']', '0', 'a', '"', ' ', 'headers', '-') }),
      fc.jsonValue(),
      (text, payload) => {
        let template: ReturnType<typeof compileTemplate>
        try {
          template = compileTemplate(text)
        } catch (error) {
          expect((error as Error).message).toMatch(/is no path/)
          return
        }
        expect(typeof template(scope(payload))).toBe('string')
      },
    ),
    { numRuns: 2000 },
  )
})

test('text between placeholders stays unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string().filter(text => !/[{}]/.test(text)),
        { minLength: 2, maxLength: 5 },
      ),
      fc.string(),
      (parts, value) => {
        expect(render(parts.join('{{v}}'), { v: value })).toBe(parts.join(value))
      },
    ),
  )
})

test('a path is read back as it was written', () => {
  const step = fc.stringMatching(/^[a-z_$][a-z0-9_$-]{0,8}$/)
  fc.assert(
    fc.property(step, fc.array(fc.oneof(step, fc.nat(999)), { maxLength: 5 }), (first, rest) => {
      const text = first + rest.map(part => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
      expect(parsePath(text)).toEqual([first, ...rest])
    }),
  )
})

test('hostile text costs no more than its length', () => {
  const began = performance.now()
  for (const text of ['{{'.repeat(30_000), '{'.repeat(60_000), `{{${'a.'.repeat(30_000)}}}`, `{{${'[0]'.repeat(20_000)}}}`])
    try {
      compileTemplate(text)(scope({}))
    } catch {
      // An invalid template is a result too.
    }
  // Milliseconds; quadratic time would be minutes.
  expect(performance.now() - began).toBeLessThan(5000)
})
