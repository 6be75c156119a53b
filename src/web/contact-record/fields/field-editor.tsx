// Edits a field in its place, in a cell or in the record. Enter and Tab write, Esc restores.

import { lazy, useState } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { numberOf } from '../../language/number.ts'
import { valueText } from '../../language/values.ts'
import { tellProblem } from '../../pieces/notices/refusal.tsx'
import { TextEditor } from '../../table/editors.tsx'
import type { ShowRefusal } from '../../table/use-ending.ts'
import { editedValue, type FieldHolder, type RecordField } from './fields.ts'
import type { SaveField } from './use-field-edit.ts'

const ChoiceEditor = lazy(() => loadPart(() => import('./choice-editor.tsx')))

export interface EditorOf<Holder extends FieldHolder> {
  record: Holder
  field: RecordField
  onDone(goesTo: 'cell' | 'next'): void
}

export interface FieldEditorProps<Holder extends FieldHolder> extends EditorOf<Holder> {
  save: SaveField<Holder>
  /** Reads an amount, for nouns that have fields of money: contacts have none, and do not load it. */
  moneyOf?: (text: string) => string | null
}

const types = { email: 'email', phone: 'tel', url: 'url', date: 'date' } as const

export function FieldEditor<Holder extends FieldHolder>(props: FieldEditorProps<Holder>) {
  const { field, onDone, save, moneyOf = () => null } = props
  // The record as it was when the editor opened. The person has not seen changes that arrive later.
  const [record] = useState(props.record)
  const write = (value: unknown, showRefusal?: ShowRefusal) => save({ record, field, value }, showRefusal)
  const onRefused = (problem: string) => tellProblem(contactWords.record.notChanged(field.label), problem)
  const value = valueText(editedValue(record, field))
  const text = { label: field.label, value, onDone, onRefused }
  switch (field.kind) {
    case 'owner':
    case 'tags':
    case 'texts':
    case 'list':
    case 'country':
    case 'choice':
    case 'yesNo':
      return <ChoiceEditor record={record} field={field} onDone={onDone} onSave={write} onRefused={onRefused} />
    case 'count':
      return (
        <TextEditor
          {...text}
          inputMode="numeric"
          problemOf={typed => (/^\d{0,15}$/.test(typed) ? null : contactWords.record.wholeNumber(field.label))}
          onSave={(typed, show) => write(typed === '' ? null : Number(typed), show)}
        />
      )
    case 'money':
      return (
        <TextEditor
          {...text}
          problemOf={typed => (typed === '' || moneyOf(typed) ? null : contactWords.record.amount(field.label))}
          onSave={(typed, show) => write(moneyOf(typed), show)}
        />
      )
    case 'number':
      return (
        <TextEditor
          {...text}
          inputMode="decimal"
          problemOf={typed => (typed === '' || numberOf(typed) !== null ? null : contactWords.record.number(field.label))}
          onSave={(typed, show) => write(numberOf(typed), show)}
        />
      )
    default: {
      const type = field.kind === 'text' || field.kind === 'moment' ? 'text' : types[field.kind]
      return <TextEditor {...text} type={type} onSave={(typed, show) => write(typed || null, show)} />
    }
  }
}
