// Conditions of views in words, by their names: `employeesMin` is "Employees: at least 10".

import { contactWords } from '../language/en/contacts.ts'
import { dealWords } from '../language/en/deals/deals.ts'
import { tableWords } from '../language/en/frame.ts'
import { valueWords } from '../language/en/values.ts'
import { besideWords } from '../language/en/views/beside.ts'
import { countryName, fieldLabel, valueText, wordOf } from '../language/values.ts'
import { dayText } from '../language/zone.ts'

interface ConditionText {
  label: string
  text: string
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const joined = (values: readonly string[]) =>
  values.length > 3 ? `${values.slice(0, 3).join(', ')} +${values.length - 3}` : values.join(', ')

// Where the condition is not named as its field.
const fields: Readonly<Record<string, string>> = {
  ...{ created: 'createdAt', updated: 'updatedAt', lastContacted: 'lastContactedAt', expected: 'expectedClose' },
  ...{ employees: 'employeeCount', tag: 'tags', contactId: 'contacts' },
}
const words: Readonly<Record<string, (value: string) => string>> = {
  source: value => wordOf(contactWords.source, value),
  lifecycleStage: value => wordOf(contactWords.stage, value),
  state: value => wordOf(dealWords.state, value),
  country: countryName,
}

/** One condition; of several custom fields all in one text. */
export function conditionText(name: string, value: unknown): ConditionText {
  if (name === 'empty' || name === 'notEmpty') {
    const label = name === 'empty' ? besideWords.empty : besideWords.notEmpty
    return { label, text: joined(listOf(value).map(one => fieldLabel(String(one).toLowerCase()))) }
  }
  if (name === 'includeDeleted' || name === 'onlyDeleted')
    return { label: contactWords.trash.deletedAt, text: name === 'includeDeleted' ? besideWords.included : besideWords.only }
  if (name === 'custom') return customText(listOf(value))
  const [, bare = name, ending = ''] = /^(.+?)(In|All|Contains|Min|Max|Since|Until)$/.exec(name) ?? []
  return { label: fieldLabel(fields[bare] ?? bare), text: textOf(bare, ending, value) }
}

function textOf(bare: string, ending: string, value: unknown): string {
  const all = listOf(value)
  if (typeof value === 'boolean') return value ? valueWords.yes : valueWords.no
  // Nobody reads ids.
  if (/Id$/.test(bare) && bare !== 'externalId') return besideWords.chosen(all.length)
  if (ending === 'Since' || ending === 'Until') {
    const day = dayText(String(value).slice(0, 10))
    return ending === 'Since' ? tableWords.days.since(day) : tableWords.days.until(day)
  }
  const texts = all.map(one => words[bare]?.(String(one)) ?? valueText(one))
  const text = joined(texts)
  if (ending === 'Contains') return besideWords.contains(text)
  if (ending === 'Min') return besideWords.atLeast(text)
  if (ending === 'Max') return besideWords.atMost(text)
  return ending === 'All' ? besideWords.allOf(text) : text
}

function customText(all: readonly unknown[]): ConditionText {
  // `as`: `filterIn` has read them from a view.
  const conditions = all as readonly Readonly<Record<string, unknown>>[]
  const texts = conditions.flatMap(({ key, ...parts }) =>
    Object.entries(parts).map(([operator, value]) => {
      if (operator === 'empty') return [key, value ? besideWords.noValue : besideWords.anyValue]
      const ending = operator.charAt(0).toUpperCase() + operator.slice(1)
      return [key, textOf('', ending, value)]
    }),
  )
  const [first] = texts
  if (texts.every(([key]) => key === first?.[0]))
    return { label: fieldLabel(`custom.${first?.[0]}`), text: texts.map(([, text]) => text).join(', ') }
  return { label: besideWords.ownFields, text: texts.map(([key, text]) => `${fieldLabel(`custom.${key}`)} ${text}`).join(', ') }
}
