// A field of a record: its value, its editor, its origin and its suggestion.

import { ActionIcon, Box, Group, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, Suspense, useRef, useState } from 'react'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { recordWords } from '../language/en/contact/record.ts'
import { contactWords } from '../language/en/contacts.ts'
import { valueText } from '../language/values.ts'
import type { EditorOf } from './fields/field-editor.tsx'
import { FieldValue } from './fields/field-value.tsx'
import { type FieldHolder, fieldValue, type RecordField } from './fields/fields.ts'
import classes from './record.module.css'

interface FieldRowProps<Holder extends FieldHolder> {
  record: Holder
  field: RecordField
  mayWrite: boolean
  Editor: ComponentType<EditorOf<Holder>>
  /** The shown value, where it is another one than the field's own. */
  shown?: ReactNode
  /** The value is a link. */
  isLink?: boolean
  /** Where the value comes from. */
  origin?: ReactNode
  /** A suggestion for the field. */
  offer?: ReactNode
}

export function FieldRow<Holder extends FieldHolder>({ record, field, mayWrite, Editor, origin, offer, ...given }: FieldRowProps<Holder>) {
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
  const value = fieldValue(record, field.id)
  const isEmpty = value === null || valueText(value) === ''
  const shown = given.shown ?? <FieldValue record={record} field={field} isWrapped />
  return (
    <Box className={classes.field} ref={row}>
      <Box className={classes.label}>{field.label}</Box>
      {isEditing ? (
        <Box className={classes.editing}>
          <Suspense fallback={shown}>
            <Editor record={record} field={field} onDone={done} />
          </Suspense>
        </Box>
      ) : field.isFixed || !mayWrite ? (
        <Box className={classes.value}>{shown}</Box>
      ) : (field.kind === 'url' || given.isLink) && value !== null ? (
        // A link cannot stand in a button.
        <Group className={classes.value} gap="xs" wrap="nowrap" align="start">
          <span>{shown}</span>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={20}
            className={classes.pencil}
            data-field={field.id}
            aria-label={recordWords.edit(field.label)}
            onClick={() => setEditing(true)}
          >
            <IconPencil size={14} />
          </ActionIcon>
        </Group>
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
      {origin ?? <span />}
      {offer}
    </Box>
  )
}
