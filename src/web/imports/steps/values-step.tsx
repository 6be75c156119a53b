// The second step: each value of the file that its field does not have, once, with a guess.

import { Select, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { useOwners } from '../../contact-record/fields/choices.ts'
import type { ContactField } from '../../contact-record/fields/fields.ts'
import { countryOptions } from '../../language/countries.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { importWords } from '../../language/en/inputs/imports.ts'
import { countText, numberText } from '../../language/format.ts'
import { optionsOf } from '../../language/values.ts'
import { useDealChoices } from '../fields.ts'
import classes from '../imports.module.css'
import { fieldName } from '../mapping.ts'
import { type Answers, type Choice, choiceOf, type ImportCheck, keyOf, type UnknownValue } from '../settings.ts'

interface ValuesStepProps {
  check: ImportCheck
  answers: Answers
  change(next: Partial<Answers>): void
  fields: readonly ContactField[]
  mayWrite: boolean
}

// Of an option: it may be any text. The others are choices that are no option.
const own = '='
const empty = 'empty'
const add = 'add'

const isOfDeal = (field: string | null) => field === 'STAGE_ID' || field === 'PIPELINE_ID' || field === 'LOST_REASON'

export function ValuesStep({ check, answers, change, fields, mayWrite }: ValuesStepProps) {
  const owners = useOwners()
  const countries = useMemo(countryOptions, [])
  const ofDeals = useDealChoices(check.unknownValues.some(({ field }) => isOfDeal(field)))
  const optionsFor = ({ field, customField }: UnknownValue) => {
    if (field === 'COUNTRY') return countries
    if (field === 'OWNER_USER_ID' || field === 'ASSIGNEE_USER_ID') return owners
    if (field !== null && ofDeals[field]) return ofDeals[field]
    if (field === 'LIFECYCLE_STAGE') return optionsOf(contactWords.stage).map(({ value, label }) => ({ value: value.toLowerCase(), label }))
    return fields.find(({ id }) => id === `custom.${customField}`)?.options ?? []
  }
  const labelOf = ({ field, customField }: UnknownValue) =>
    field === null ? (fields.find(({ id }) => id === `custom.${customField}`)?.label ?? '') : fieldName(field)
  const set = (value: UnknownValue, choice: Choice) => change({ choices: { ...answers.choices, [keyOf(value)]: choice } })
  const columns = [...Map.groupBy(check.unknownValues, ({ column }) => column).values()]
  const others = check.unknownValueCount - check.unknownValues.length
  return (
    <>
      <Text size="sm" c="dimmed">
        {importWords.unknownValues}
      </Text>
      {columns.map(values => {
        const [first] = values
        if (!first) return null
        return (
          <section key={first.column} aria-label={first.columnName}>
            <Title order={2} size="h4" className={classes.anywhere}>
              {labelOf(first)}
            </Title>
            {values.map(value => {
              const { to, addOption } = choiceOf(answers, value)
              const options = optionsFor(value)
              return (
                <div key={keyOf(value)} className={classes.column}>
                  <div>
                    <Text size="sm" fw={500} className={classes.anywhere}>
                      {value.value}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {countText(value.rowCount, importWords.row)}
                    </Text>
                  </div>
                  <Select
                    aria-label={importWords.meaningOf(value.value)}
                    data={[
                      { value: empty, label: importWords.leaveEmpty },
                      ...(value.customField === null ? [] : [{ value: add, label: importWords.addChoice }]),
                      ...options.map(option => ({ value: own + option.value, label: option.label })),
                    ]}
                    value={to === null ? empty : addOption ? add : own + to}
                    onChange={chosen => {
                      if (chosen === empty) set(value, { to: null })
                      else if (chosen === add) set(value, { to: value.value.slice(0, 100), addOption: true })
                      else if (chosen !== null) set(value, { to: chosen.slice(own.length) })
                    }}
                    allowDeselect={false}
                    searchable
                    disabled={!mayWrite}
                  />
                </div>
              )
            })}
          </section>
        )
      })}
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {importWords.moreValues(numberText(others))}
        </Text>
      )}
    </>
  )
}
