// Edits a field with values to choose from, in its place: one of them, or several.

import { lazy, useState } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { valueWords } from '../../language/en/values.ts'
import { valueText } from '../../language/values.ts'
import { SelectEditor } from '../../table/editors.tsx'
import type { ShowRefusal } from '../../table/use-ending.ts'
import { useOwners, useTagNames } from './choices.ts'
import { type FieldHolder, fieldValue, type Option, type RecordField } from './fields.ts'

const CountryEditor = lazy(() => loadPart(() => import('./country-editor.tsx')))
const MultiEditor = lazy(() => loadPart(() => import('./multi-editor.tsx')))

interface ChoiceEditorProps {
  record: FieldHolder
  field: RecordField
  onDone(goesTo: 'cell' | 'next'): void
  onSave(value: unknown, showRefusal?: ShowRefusal): Promise<boolean>
  onRefused(problem: string): void
}

// The option for no value, in fields that may be empty.
const nothing = ''

export default function ChoiceEditor(props: ChoiceEditorProps) {
  const { record, field, onDone, onSave } = props
  const { label, options = [] } = field
  const value = fieldValue(record, field.id)
  switch (field.kind) {
    case 'owner':
      return <OwnerEditor {...props} />
    case 'tags':
      return <TagEditor {...props} />
    case 'texts':
      return <ListEditor {...props} options={[]} />
    case 'list':
      return <ListEditor {...props} options={options.map(option => option.value)} isClosed />
    case 'country':
      return (
        <CountryEditor
          label={label}
          value={valueText(value)}
          onDone={onDone}
          onSave={next => void onSave(next === nothing ? null : next)}
        />
      )
    case 'yesNo':
      return (
        <Choice
          {...props}
          value={value === null ? nothing : String(value)}
          options={[
            { value: 'true', label: valueWords.yes },
            { value: 'false', label: valueWords.no },
          ]}
          onSave={next => void onSave(next === null ? null : next === 'true')}
        />
      )
    default:
      return <Choice {...props} value={valueText(value)} options={options} />
  }
}

interface ChoiceProps extends Omit<ChoiceEditorProps, 'onSave'> {
  value: string
  options: readonly Option[]
  onSave(value: string | null): unknown
}

function Choice({ field, value, options, onDone, onSave }: ChoiceProps) {
  const all = field.isRequired ? options : [{ value: nothing, label: contactWords.record.nothing }, ...options]
  return (
    <SelectEditor
      label={field.label}
      value={value}
      options={all}
      onDone={onDone}
      onSave={next => void onSave(next === nothing ? null : next)}
    />
  )
}

const OwnerEditor = (props: ChoiceEditorProps) => <Choice {...props} value={props.record.ownerUserId ?? nothing} options={useOwners()} />

interface ListEditorProps extends ChoiceEditorProps {
  options: readonly string[]
  isClosed?: boolean
  onSearch?(text: string): void
}

function ListEditor({ record, field, ...others }: ListEditorProps) {
  const value = fieldValue(record, field.id)
  return <MultiEditor label={field.label} value={Array.isArray(value) ? value.map(valueText) : []} {...others} />
}

function TagEditor(props: ChoiceEditorProps) {
  const [text, setText] = useState('')
  return <ListEditor {...props} options={useTagNames(text)} onSearch={setText} />
}
