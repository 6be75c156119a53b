// Edits a field in its place, in a cell or in the record. Enter and Tab write, Esc restores.

import { lazy, useState } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { numberOf } from '../../language/number.ts'
import { valueText } from '../../language/values.ts'
import { tellProblem } from '../../pieces/notices/refusal.tsx'
import { SelectEditor, TextEditor } from '../../table/editors.tsx'
import { useOwners, useTagNames } from './choices.ts'
import { editedValue, type FieldHolder, fieldValue, moneyOf, type Option, type RecordField } from './fields.ts'
import type { Edit } from './use-field-edit.ts'

const CountryEditor = lazy(() => loadPart(() => import('./country-editor.tsx')))
const MultiEditor = lazy(() => loadPart(() => import('./multi-editor.tsx')))

export interface EditorOf<Holder extends FieldHolder> {
  record: Holder
  field: RecordField
  onDone(goesTo: 'cell' | 'next'): void
}

interface FieldEditorProps<Holder extends FieldHolder> extends EditorOf<Holder> {
  save(edit: Edit<Holder>): void
}

// The option for no value, in fields that may be empty.
const nothing = ''
const types = { email: 'email', phone: 'tel', url: 'url', date: 'date' } as const
const yesNo: readonly Option[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

export function FieldEditor<Holder extends FieldHolder>(props: FieldEditorProps<Holder>) {
  const { field, onDone, save } = props
  // The record as it was when the editor opened. The person has not seen changes that arrive later.
  const [record] = useState(props.record)
  const write = (value: unknown) => save({ record, field, value })
  const onRefused = (problem: string) => tellProblem(`${field.label} was not changed`, problem)
  const value = valueText(editedValue(record, field))
  const text = { label: field.label, value, onDone, onRefused }
  switch (field.kind) {
    case 'owner':
      return <OwnerEditor {...props} onSave={write} />
    case 'tags':
      return <TagEditor {...props} onSave={write} onRefused={onRefused} />
    case 'texts':
      return <ListEditor {...props} options={[]} onSave={write} onRefused={onRefused} />
    case 'list':
      return (
        <ListEditor {...props} options={field.options?.map(option => option.value) ?? []} isClosed onSave={write} onRefused={onRefused} />
      )
    case 'country':
      return <CountryEditor label={field.label} value={value} onDone={onDone} onSave={next => write(next === nothing ? null : next)} />
    case 'choice':
      return <Choice field={field} value={value} options={field.options ?? []} onDone={onDone} onSave={write} />
    case 'yesNo': {
      const given = fieldValue(record, field.id)
      const current = given === null ? nothing : String(given)
      return (
        <Choice
          field={field}
          value={current}
          options={yesNo}
          onDone={onDone}
          onSave={next => write(next === null ? null : next === 'true')}
        />
      )
    }
    case 'count':
      return (
        <TextEditor
          {...text}
          inputMode="numeric"
          problemOf={typed => (/^\d{0,15}$/.test(typed) ? null : contactWords.record.wholeNumber(field.label))}
          onSave={typed => write(typed === '' ? null : Number(typed))}
        />
      )
    case 'money':
      return (
        <TextEditor
          {...text}
          problemOf={typed => (typed === '' || moneyOf(typed) ? null : contactWords.record.amount(field.label))}
          onSave={typed => write(typed || null)}
        />
      )
    case 'number':
      return (
        <TextEditor
          {...text}
          inputMode="decimal"
          problemOf={typed => (typed === '' || numberOf(typed) !== null ? null : notANumber(field.label))}
          onSave={typed => write(numberOf(typed))}
        />
      )
    default: {
      const type = field.kind === 'text' || field.kind === 'moment' ? 'text' : types[field.kind]
      return <TextEditor {...text} type={type} onSave={typed => write(typed || null)} />
    }
  }
}

const notANumber = (label: string) => `${label} takes a number of at most 15 digits, such as 1250.5, without a comma between thousands.`

interface ChoiceProps {
  field: RecordField
  value: string
  options: readonly Option[]
  onDone(goesTo: 'cell' | 'next'): void
  onSave(value: string | null): void
}

function Choice({ field, value, options, onDone, onSave }: ChoiceProps) {
  const all = field.isRequired ? options : [{ value: nothing, label: contactWords.record.nothing }, ...options]
  return (
    <SelectEditor label={field.label} value={value} options={all} onDone={onDone} onSave={next => onSave(next === nothing ? null : next)} />
  )
}

function OwnerEditor({ record, field, onDone, onSave }: EditorOf<FieldHolder> & { onSave(value: string | null): void }) {
  const owners = useOwners()
  return <Choice field={field} value={record.ownerUserId ?? nothing} options={owners} onDone={onDone} onSave={onSave} />
}

interface ListEditorProps extends EditorOf<FieldHolder> {
  options: readonly string[]
  isClosed?: boolean
  onSearch?(text: string): void
  onSave(value: string[]): void
  onRefused(problem: string): void
}

function ListEditor({ record, field, ...others }: ListEditorProps) {
  const value = fieldValue(record, field.id)
  return <MultiEditor label={field.label} value={Array.isArray(value) ? value.map(valueText) : []} {...others} />
}

function TagEditor(props: Omit<ListEditorProps, 'options'>) {
  const [text, setText] = useState('')
  return <ListEditor {...props} options={useTagNames(text)} onSearch={setText} />
}
