// Conditions on custom fields in the address: "plan~is~gold", "seats~min~3", "start~since~2026-01-01", "plan~empty".

import type { Param } from '../../address/params.ts'
import type { CustomFieldFilter } from '../../generated/operations.ts'

const form = /^([a-z][\w]*)~(?:(is|min|max|since|until)~(.+)|(empty|filled))$/s

export interface CustomCondition {
  key: string
  operator: string
  value: string
}

export const customConditions: Param<string[]> = given => {
  const known = given.filter(isReadable).slice(0, 50)
  return known.length > 0 ? known : undefined
}

function isReadable(text: string): boolean {
  const condition = readCondition(text)
  if (!condition) return false
  const { operator, value } = condition
  if (operator === 'min' || operator === 'max') return Number.isFinite(Number(value))
  return (operator !== 'since' && operator !== 'until') || /^\d{4}-\d\d-\d\d$/.test(value)
}

export function readCondition(text: string): CustomCondition | null {
  const found = form.exec(text)
  const [, key, operator, value, presence] = found ?? []
  if (key === undefined) return null
  return { key, operator: operator ?? presence ?? '', value: value ?? '' }
}

export const writeCondition = ({ key, operator, value }: CustomCondition): string =>
  value === '' ? `${key}~${operator}` : `${key}~${operator}~${value}`

/** The API takes one condition for each field. */
export function customFilter(texts: readonly string[] = []): CustomFieldFilter[] {
  const conditions = texts.flatMap(text => readCondition(text) ?? [])
  return [...Map.groupBy(conditions, ({ key }) => key)].map(([key, parts]) => {
    const of = (operator: string) => parts.filter(part => part.operator === operator).map(({ value }) => value)
    const values = of('is')
    const number = (operator: string) => of(operator).map(Number)[0]
    return {
      key,
      ...(values.length > 0 && { in: values }),
      ...(number('min') !== undefined && { min: number('min') }),
      ...(number('max') !== undefined && { max: number('max') }),
      ...(of('since')[0] && { since: of('since')[0] }),
      ...(of('until')[0] && { until: of('until')[0] }),
      ...(parts.some(({ operator }) => operator === 'empty') && { empty: true }),
      ...(parts.some(({ operator }) => operator === 'filled') && { empty: false }),
    }
  })
}

/** Turns the filter of a saved view back into conditions. */
export function customTexts(filters: readonly CustomFieldFilter[]): string[] {
  return filters.flatMap(({ key, in: values, min, max, since, until, empty }) => [
    ...(values ?? []).map(value => `${key}~is~${value}`),
    ...(min == null ? [] : [`${key}~min~${min}`]),
    ...(max == null ? [] : [`${key}~max~${max}`]),
    ...(since == null ? [] : [`${key}~since~${since}`]),
    ...(until == null ? [] : [`${key}~until~${until}`]),
    ...(empty == null ? [] : [`${key}~${empty ? 'empty' : 'filled'}`]),
  ])
}
