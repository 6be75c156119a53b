// A field of the record: its value, its editor, its origin and its suggestion.

import { Box, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Suspense, useRef, useState } from 'react'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { contactWords } from '../language/en/contacts.ts'
import { valueText } from '../language/values.ts'
import { FieldEditor } from './fields/field-editor.tsx'
import { FieldValue } from './fields/field-value.tsx'
import { type ContactField, fieldValue } from './fields/fields.ts'
import { Origin } from './origin.tsx'
import classes from './record.module.css'
import { SuggestionOffer } from './suggestion-offer.tsx'
import type { ContactRecord, FieldMeta, WaitingSuggestion } from './use-record.ts'

interface FieldRowProps {
  contact: ContactRecord
  field: ContactField
  meta: FieldMeta | undefined
  suggestion: WaitingSuggestion | undefined
  mayWrite: boolean
}

export function FieldRow({ contact, field, meta, suggestion, mayWrite }: FieldRowProps) {
  const [isEditing, setEditing] = useState(false)
  // In the list the key belongs to the row in focus.
  useShortcut('S', contactWords.changeStage, () => !document.activeElement?.matches('[data-cell]') && setEditing(true), {
    isOn: mayWrite && field.id === 'lifecycleStage',
  })
  const row = useRef<HTMLDivElement>(null)
  const done = (goesTo: 'cell' | 'next') => {
    setEditing(false)
    // The button exists again after the next rendering.
    requestAnimationFrame(() => {
      const buttons = [...(row.current?.parentElement?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
      const here = buttons.findIndex(button => button.dataset.field === field.id)
      const next = buttons[goesTo === 'next' ? here + 1 : here]
      if (document.activeElement === document.body) next?.focus()
    })
  }
  const value = fieldValue(contact, field.id)
  const isEmpty = value === null || valueText(value) === ''
  const shown = <FieldValue contact={contact} field={field} isWrapped />
  return (
    <Box className={classes.field} ref={row}>
      <Box className={classes.label}>{field.label}</Box>
      {isEditing ? (
        <Box className={classes.editing}>
          <Suspense fallback={shown}>
            <FieldEditor contact={contact} field={field} onDone={done} />
          </Suspense>
        </Box>
      ) : field.isFixed || !mayWrite || field.kind === 'url' ? (
        <Box className={classes.value}>{shown}</Box>
      ) : (
        <UnstyledButton className={classes.value} data-field={field.id} onClick={() => setEditing(true)}>
          <VisuallyHidden>
            {recordWords.edit(field.label)}
            {value === null ? '' : ': '}
          </VisuallyHidden>
          {isEmpty ? (
            <span className={classes.add} aria-hidden>
              {recordWords.addValue}
            </span>
          ) : (
            shown
          )}
        </UnstyledButton>
      )}
      {meta && !isEmpty ? <Origin meta={meta} label={field.label} /> : <span />}
      {suggestion && <SuggestionOffer suggestion={suggestion} label={field.label} mayWrite={mayWrite} />}
    </Box>
  )
}
