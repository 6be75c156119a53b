// Shows a field's value, in a cell of the list and in the record. An empty value shows nothing, not a dash.

import { locale } from '../../language/language.ts'
import { countryName, valueText } from '../../language/values.ts'
import { Status } from '../../pieces/status.tsx'
import { Time } from '../../pieces/time.tsx'
import classes from './field-value.module.css'
import { type Contact, type ContactField, fieldValue } from './fields.ts'
import { StageStatus } from './stage.tsx'
import { WebLink } from './web-link.tsx'

interface FieldValueProps {
  contact: Contact
  field: ContactField
  /** Whether a long list breaks into lines. Cells cut it off. */
  isWrapped?: boolean
}

export function FieldValue({ contact, field, isWrapped = false }: FieldValueProps) {
  const value = fieldValue(contact, field.id)
  if (value === null || value === '') return null
  switch (field.kind) {
    case 'owner':
      return contact.owner?.name || contact.owner?.email || 'Former member'
    case 'tags':
    case 'list':
      return Array.isArray(value) && value.length > 0 ? <Tags values={value.map(valueText)} isWrapped={isWrapped} /> : null
    case 'yesNo':
      if (field.id === 'doNotCall') return value === true ? <Status tone="failing" label="Do not call" /> : null
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
      if (field.id === 'lifecycleStage') return <StageStatus stage={contact.lifecycleStage} />
      return field.options?.find(option => option.value === value)?.label ?? valueText(value)
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
