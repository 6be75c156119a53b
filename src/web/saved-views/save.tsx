// The form that saves the list as a view, or changes a view's name and who sees it.

import { Checkbox, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Dialog } from '../frame/floating/dialog.tsx'
import { fieldWords } from '../language/en/values.ts'
import { viewFormWords } from '../language/en/views/form.ts'
import { useMe } from '../session/use-me.ts'
import type { View, ViewKind } from './kind.ts'
import { definitionOf, type ListState } from './view.ts'

const maxName = 100

interface SaveViewProps {
  kind: ViewKind
  /** The view to change; undefined for a new view of the list's state. */
  view: View | undefined
  isOpen: boolean
  state: ListState
  onClose(): void
  onSaved(view: View): void
}

export default function SaveView(props: SaveViewProps) {
  const { view, isOpen, onClose } = props
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={view ? viewFormWords.change : viewFormWords.save}>
      {view ? <ChangeForm {...props} view={view} /> : <NewForm {...props} />}
    </Dialog>
  )
}

const validate = { name: (name: string) => (name.trim() === '' ? viewFormWords.nameNeeded : null) }

function NewForm({ kind, state, onClose, onSaved }: SaveViewProps) {
  const { mayWrite } = useMe()
  // Such as "Lead, Opportunity, vip".
  const name = kind.useWords(state.search).join(', ') || viewFormWords.newOf(kind.nouns.other)
  const write = useWriteForm({
    document: kind.save,
    initialValues: { name: name.slice(0, maxName), isShared: mayWrite, isDefault: false },
    validate,
    toVariables: values => ({ input: { noun: kind.noun, ...values, ...definitionOf(kind, state) } }),
    onWritten: ({ createSavedView }) => onSaved(createSavedView),
  })
  return (
    <WriteFormView write={write} verb={viewFormWords.saveVerb} onCancel={onClose}>
      <Fields form={write.form} />
    </WriteFormView>
  )
}

function ChangeForm({ kind, view, onClose, onSaved }: SaveViewProps & { view: View }) {
  // The version at the opening of the form, so a later change by another person is not overwritten.
  const [{ id, version, name, isShared, isDefault }] = useState(view)
  const write = useWriteForm({
    document: kind.change,
    initialValues: { name, isShared, isDefault },
    validate,
    toVariables: values => ({ input: { id, ifVersion: version, ...values } }),
    onWritten: ({ updateSavedView }) => onSaved(updateSavedView),
  })
  return (
    <WriteFormView write={write} verb={viewFormWords.saveVerb} onCancel={onClose}>
      <Fields form={write.form} />
    </WriteFormView>
  )
}

function Fields({ form }: { form: UseFormReturnType<{ name: string; isShared: boolean; isDefault: boolean }> }) {
  const { mayWrite } = useMe()
  const name = form.getInputProps('name')
  return (
    <>
      <TextInput
        label={fieldWords.name}
        maxLength={maxName}
        data-autofocus
        {...name}
        onFocus={event => {
          name.onFocus?.(event)
          // Typing replaces the suggested name.
          event.currentTarget.select()
        }}
      />
      <Checkbox label={viewFormWords.everybody} disabled={!mayWrite} {...form.getInputProps('isShared', { type: 'checkbox' })} />
      <Checkbox label={viewFormWords.isDefault} {...form.getInputProps('isDefault', { type: 'checkbox' })} />
    </>
  )
}
