// Mappings: for any file and any payload, the result is an action or a reason.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMapping } from '../../src/config/gateway/mappings.ts'
import { type CompiledMapping, compileMapping } from '../../src/hooks/mappings/mapping.ts'
import { AppError } from '../../src/kernel/errors.ts'

const compiled = (given: Record<string, unknown>): CompiledMapping => {
  const { mapping, problems } = readMapping({ id: 'tried', ...given }, 0)
  if (!mapping || problems.length > 0) throw new Error(problems.join('; '))
  return compileMapping(mapping)
}
const request = (payload: Record<string, unknown>) => ({
  path: 'tried',
  url: 'http://localhost/hooks/tried',
  headers: {},
  query: {},
  payload,
  now: '2026-11-20T10:00:00.000Z',
})

const names =
  'id match action textTemplate messageTemplate name sessionKey deliver channel to model thinking timeoutSeconds wakeMode agentId forEach maxBodyBytes auth transform concurrency idempotencyKey scopes creditCeiling other'
const settings = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('agent', 'wake', 'slack', 'low', '{{a.b[0]}}', '{{', '{{a b}}', 'items', 'items[', 5, true),
  fc.constantFrom<unknown>({ path: 'tried' }, { path: '../up' }, { where: { 'a[': 1 } }, { module: 'a.ts' }, { token: '0123456789abcdef' }),
  fc.constantFrom<unknown>({ hmac: { secret: '0123456789', scheme: 'hex' } }, { hmac: { secret: '0123456789' } }, ['*'], ['contacts:read']),
)

test('any entry of the file is a mapping, or has a reason why not', () => {
  const given = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names.split(' ')), settings))
  fc.assert(
    fc.property(given, given => {
      const { id, mapping, problems } = readMapping(given, 3)
      expect(id).not.toBe('')
      for (const problem of problems) expect(problem).not.toBe('')
      if (!mapping) expect(problems).not.toEqual([])
      if (!mapping || problems.length > 0) return
      try {
        compileMapping(mapping)
      } catch (error) {
        expect((error as Error).message).toMatch(/is no path/)
      }
    }),
    { numRuns: 2000 },
  )
})

const scalar = fc.constantFrom<unknown>('x', 'y', '', 1, 0, true, false, null)
const payloads = fc.dictionary(fc.constantFrom('a', 'b', 'source', 'items', 'constructor', 'toString'), fc.oneof(scalar, fc.jsonValue()))

test('a mapping takes a payload if and only if its source and all its values match', () => {
  const own = (value: unknown, name: string): unknown =>
    value !== null && typeof value === 'object' && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  fc.assert(
    fc.property(fc.array(scalar, { minLength: 1 }), scalar, payloads, (values, inner, payload) => {
      const mapping = compiled({ match: { source: 'x', where: { a: values, 'b.c': inner } }, messageTemplate: 'a' })
      const nested = Array.isArray(payload.b) ? undefined : own(payload.b, 'c')
      const isOwned = own(payload, 'source') === 'x' && values.includes(own(payload, 'a') ?? null) && (nested ?? null) === inner

      expect(mapping.owns({ headers: {}, payload })).toBe(isOwned)
    }),
    { numRuns: 2000 },
  )
})

test('any payload becomes actions with the documented fields, or has a reason why not', async () => {
  const fields = {
    agent: { messageTemplate: '{{a}}{{item}}', name: '{{b}}', sessionKey: '{{source}}', to: '{{items[0]}}', channel: 'slack' },
    wake: { textTemplate: '{{a}} {{items}}' },
  } as const
  const allowed = 'message name sessionKey to channel wakeMode deliver text mode'.split(' ')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('agent', 'wake'), fc.boolean(), payloads, async (action, isBatch, payload) => {
      const mapping = compiled({ action, ...fields[action], ...(isBatch && { forEach: 'items' }) })
      const made = await mapping.actions(request(payload), null).catch((error: unknown) => error)
      if (!Array.isArray(made)) {
        expect(made).toBeInstanceOf(AppError)
        expect(made).toMatchObject({
          code: 'INVALID',
          message: expect.stringMatching(/^(Mapping tried made of this payload: |items: must )/),
        })
        return
      }
      expect(made).toHaveLength(isBatch ? (payload.items as unknown[]).length : 1)
      for (const { kind, payload: given } of made) {
        expect(kind).toBe(action)
        expect(allowed).toEqual(expect.arrayContaining(Object.keys(given)))
        expect((given.message ?? given.text).trim()).not.toBe('')
      }
    }),
    { numRuns: 2000 },
  )
})
