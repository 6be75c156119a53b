// The order of names: one function for every list and choice that a page sorts.

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { byLabel, byName } from '../../src/web/language/order.ts'

test('letters with marks stand beside those without, and numbers count', () => {
  const names = ['Zoe', 'Åke', 'anna', 'Über', 'Willi', 'Ümit', 'Desk 10', 'Desk 2', 'Émile', 'Emil']

  expect(names.toSorted(byName)).toEqual(['Åke', 'anna', 'Desk 2', 'Desk 10', 'Emil', 'Émile', 'Über', 'Ümit', 'Willi', 'Zoe'])
  expect([{ label: 'Z' }, { label: 'Ä' }].toSorted(byLabel)).toEqual([{ label: 'Ä' }, { label: 'Z' }])
})

test('no page compares names in a way of its own', () => {
  const root = path.join(import.meta.dirname, '../../src/web')
  const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['build/**', 'generated/**', 'language/order.ts'] })

  expect(files.filter(file => /localeCompare|Intl\.Collator/.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([])
})
