// Shows a field's value, in a cell of the list and in the record. An empty value shows nothing, not a dash.

import type { LifecycleStage } from '../../generated/schema.ts'
import { peopleWords } from '../../language/en/people.ts'
import { fieldWords } from '../../language/en/values.ts'
import { moneyText, numberText } from '../../language/format.ts'
import { locale } from '../../language/language.ts'
import { countryName, valueText } from '../../language/values.ts'
import { Status } from '../../pieces/status.tsx'
import { Time } from '../../pieces/time.tsx'
import classes from './field-value.module.css'
import { currencyOf, type FieldHolder, fieldValue, type RecordField } from './fields.ts'
import { StageStatus } from './stage.tsx'
import { WebLink } from './web-link.tsx'

interface FieldValueProps {
  record: FieldHolder
  field: RecordField
  /** Whether a long list breaks into lines. Cells cut it off. */
  isWrapped?: boolean
}

export function FieldValue({ record, field, isWrapped = false }: FieldValueProps) {
  const value = fieldValue(record, field.id)
  if (value === null || value === '') return null
  switch (field.kind) {
    case 'owner':
      return record.owner?.name || record.owner?.email || peopleWords.formerMember
    case 'tags':
    case 'list':
    case 'texts':
      return Array.isArray(value) && value.length > 0 ? <Tags values={value.map(valueText)} isWrapped={isWrapped} /> : null
    case 'yesNo':
      if (field.id === 'doNotCall') return value === true ? <Status tone="failing" label={fieldWords.doNotCall} /> : null
      return valueText(value)
    case 'moment':
      return <Time at={valueText(value)} />
    case 'date':
      return dayOf(valueText(value))
    case 'url':
      return <WebLink address={valueText(value)} />
    case 'country':
      return countryName(valueText(value))
    case 'choice':
      if (field.id === 'lifecycleStage') return <StageStatus stage={value as LifecycleStage} />
      return field.options?.find(option => option.value === value)?.label ?? valueText(value)
    case 'count':
      return typeof value === 'number' ? numberText(value) : valueText(value)
    case 'money':
      return moneyText(valueText(value), currencyOf(record))
    default:
      return valueText(value)
  }
}

function Tags({ values, isWrapped }: { values: readonly string[]; isWrapped: boolean }) {
  return (
    <span className={classes.tags} data-wrapped={isWrapped || undefined}>
      {values.map(value => (
        <span key={value} className={classes.tag}>
          {value}
        </span>
      ))}
    </span>
  )
}

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A calendar day has no zone: 2026-12-03 is the third everywhere. */
function dayOf(text: string): string {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : days.format(date)
}
