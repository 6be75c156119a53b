// The frame of a form that changes an object: its fields, then the conflicts with changes by other people.

import type { ReactNode } from 'react'
import { valueWords } from '../language/en/values.ts'
import { Conflict } from '../pieces/states/conflict.tsx'
import type { ChangeForm } from './use-change-form.ts'
import { WriteFormView } from './write-form-view.tsx'

interface ChangeFormViewProps<Values extends object> {
  change: ChangeForm<Values>
  /** The button's text, a verb: "Save agent". */
  verb: string
  labels: Readonly<Record<keyof Values, string>>
  /** A field's value as a text. */
  textOf(values: Values, field: keyof Values): string
  onCancel?: () => void
  children: ReactNode
}

export function ChangeFormView<Values extends object>({ change, verb, labels, textOf, onCancel, children }: ChangeFormViewProps<Values>) {
  return (
    <WriteFormView write={change} verb={verb} isHeld={change.conflicts.length > 0} {...(onCancel && { onCancel })}>
      {children}
      {change.conflicts.map(({ field, theirs, keepYours, takeTheirs }) => (
        <Conflict
          key={String(field)}
          label={labels[field]}
          yours={textOf(change.form.getValues(), field) || valueWords.empty}
          theirs={textOf(theirs, field) || valueWords.empty}
          onKeepYours={keepYours}
          onTakeTheirs={takeTheirs}
        />
      ))}
    </WriteFormView>
  )
}
