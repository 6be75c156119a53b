// Rules of many: what a door joins, and what becomes of refusals and failures.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { alone, type RuleCall, type RuleOfMany, together } from '../../src/kernel/batching/together.ts'
import type { Context } from '../../src/kernel/context.ts'
import { AppError } from '../../src/kernel/errors.ts'

/** A rule that doubles numbers, refuses odd ones, and throws when 13 is among them. */
function fixture() {
  const batches: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const rule: RuleOfMany<number, number> = async (asked: readonly RuleCall<number>[]) => {
    const numbers = asked.map(({ input }) => input)
    batches.push(numbers)
    if (numbers.includes(13)) throw new Error('thirteen')
    return numbers.map(number => (number % 2 === 1 ? new AppError('INVALID', `${number} is odd`) : number * 2))
  }
  const slow: RuleOfMany<number, number> = async asked => {
    batches.push(asked.map(({ input }) => input))
    await new Promise<void>(resolve => ends.push(resolve))
    return asked.map(({ input }) => input)
  }
  return { rule, slow, batches, end: () => ends.shift()?.() }
}
// `as`: the door reads nothing else of a context.
const contextOn = (db: object) => ({ db }) as Context

describe('together', () => {
  test('joins what arrives in one turn, and gives each its own result or refusal', async () => {
    const { rule, batches } = fixture()
    const context = contextOn({})

    const results = await Promise.allSettled([2, 3, 4].map(number => together(context, rule, number)))

    expect(results).toMatchObject([{ value: 4 }, { reason: { code: 'INVALID', message: '3 is odd' } }, { value: 8 }])
    expect(batches).toEqual([[2, 3, 4]])
  })

  test('asks each alone when the rule throws', async () => {
    const { rule, batches } = fixture()
    const context = contextOn({})

    const results = await Promise.allSettled([2, 13, 4].map(number => together(context, rule, number)))

    expect(results).toMatchObject([{ value: 4 }, { reason: { message: 'thirteen' } }, { value: 8 }])
    expect(batches).toEqual([[2, 13, 4], [2], [13], [4]])
  })

  test('joins nothing of two databases, or of two rules', async () => {
    const { rule, slow, batches, end } = fixture()
    const [one, other] = [contextOn({}), contextOn({})]

    const asked = [together(one, rule, 2), together(other, rule, 4), together(one, slow, 6)]
    await nextTurn()
    end()

    expect(await Promise.all(asked)).toEqual([4, 8, 6])
    expect(batches).toEqual([[2], [4], [6]])
  })

  test('with `per` runs one batch at a time of each, which fills meanwhile', async () => {
    const { slow, batches, end } = fixture()
    const context = contextOn({})

    const asked = [together(context, slow, 1, { per: 'a' }), together(context, slow, 2, { per: 'b' })]
    await nextTurn()
    asked.push(together(context, slow, 3, { per: 'a' }), together(context, slow, 4, { per: 'a' }))
    await nextTurn()
    expect(batches).toEqual([[1], [2]])
    end()
    end()
    await Promise.all(asked.slice(0, 2))
    await nextTurn()
    end()

    expect(await Promise.all(asked)).toEqual([1, 2, 3, 4])
    expect(batches).toEqual([[1], [2], [3, 4]])
  })
})

describe('alone', () => {
  test('asks at once for one, and throws its refusal', async () => {
    const { rule, batches } = fixture()

    expect(await alone(contextOn({}), rule, 2)).toBe(4)
    await expect(alone(contextOn({}), rule, 3)).rejects.toThrow('3 is odd')
    expect(batches).toEqual([[2], [3]])
  })
})
