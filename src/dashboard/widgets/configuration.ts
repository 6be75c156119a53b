// The configuration of widgets: what a kind has, checked, with its defaults.

import { invalid } from '../../kernel/errors.ts'
import { text } from '../../kernel/input/fields.ts'
import { at, Invalid, type Problem, problem, valueError } from '../../kernel/input/problem.ts'
import { type Configuration, kindNamed, type WidgetKind } from './kind.ts'

export interface WidgetInput extends Partial<Configuration> {
  title?: string | null
}

export interface Configured extends Configuration {
  title: string | null
}

// Two years of days are more points than a chart shows.
const maxRangeDays = 730
const readTitle = text(100)

/** The configuration after the input: absent values stay as in `before`, null resets to the kind's default. Throws INVALID. */
export function configure(kind: WidgetKind, input: WidgetInput, before?: Configured): Configured {
  const { defaults, hasOptional = [], groupings = [] } = kindNamed(kind)
  const has = (name: keyof Configuration) => defaults[name] !== null || hasOptional.includes(name)
  const named = (['rangeDays', 'per', 'groupBy'] as const).filter(name => input[name] != null && !has(name))
  const title = input.title == null ? input.title : readTitle(input.title)
  const { rangeDays, groupBy } = input
  const problems: Problem[] = [
    ...(title instanceof Invalid ? at('title', title) : []),
    ...named.map(name => valueError(name, `a widget of ${kind.toUpperCase()} has none`, input[name])),
    ...(has('rangeDays') && rangeDays != null && rangeDays < 1 ? [problem('rangeDays', 'greater_than_equal', rangeDays, { ge: 1 })] : []),
    ...(has('rangeDays') && rangeDays != null && rangeDays > maxRangeDays
      ? [problem('rangeDays', 'less_than_equal', rangeDays, { le: maxRangeDays })]
      : []),
    ...(has('groupBy') && groupBy != null && !groupings.includes(groupBy)
      ? [problem('groupBy', 'enum', groupBy.toUpperCase(), { expected: groupings.map(name => `'${name.toUpperCase()}'`).join(', ') })]
      : []),
  ]
  if (problems.length > 0) throw invalid(problems)
  const start = before ?? { ...defaults, title: null }
  return {
    title: title === undefined || title instanceof Invalid ? start.title : title,
    rangeDays: input.rangeDays === undefined ? start.rangeDays : (input.rangeDays ?? defaults.rangeDays),
    per: input.per === undefined ? start.per : (input.per ?? defaults.per),
    groupBy: input.groupBy === undefined ? start.groupBy : (input.groupBy ?? defaults.groupBy),
  }
}
