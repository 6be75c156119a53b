// The form that saves the list as a view, or changes a view's name and who sees it.

import { Checkbox, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useWriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Dialog } from '../frame/floating/dialog.tsx'
import { ChangeViewOfContactsDocument, SaveViewOfContactsDocument } from '../generated/documents/contacts-views.ts'
import { listWords } from '../language/en/contact/list.ts'
import { contactWords } from '../language/en/contacts.ts'
import { fieldWords } from '../language/en/values.ts'
import { countryName } from '../language/values.ts'
import { useMe } from '../session/use-me.ts'
import { definitionOf, type ListState, type View } from './view.ts'

const maxName = 100

interface SaveViewProps {
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
    <Dialog isOpen={isOpen} onClose={onClose} title={view ? listWords.views.change : listWords.views.save}>
      {view ? <ChangeForm {...props} view={view} /> : <NewForm {...props} />}
    </Dialog>
  )
}

function NewForm({ state, onClose, onSaved }: SaveViewProps) {
  const { mayWrite } = useMe()
  const write = useWriteForm({
    document: SaveViewOfContactsDocument,
    initialValues: { name: nameFor(state), isShared: mayWrite, isDefault: false },
    toVariables: values => ({ input: { noun: 'CONTACTS' as const, ...values, ...definitionOf(state) } }),
    onWritten: ({ createSavedView }) => onSaved(createSavedView),
  })
  return (
    <WriteFormView write={write} verb={listWords.views.saveVerb} onCancel={onClose}>
      <Fields form={write.form} />
    </WriteFormView>
  )
}

/** A name by the filters, such as "Lead, Opportunity, vip". */
function nameFor({ search: { q, stage = [], tag = [], tagAll = [], company = [], city = [], country = [] } }: ListState): string {
  const words = [...stage.map(one => contactWords.stage[one]), ...tag, ...tagAll, ...company, ...city, ...country.map(countryName)]
  return [...words, ...(q ? [q] : [])].join(', ').slice(0, maxName)
}

function ChangeForm({ view, onClose, onSaved }: SaveViewProps & { view: View }) {
  // The version at the opening of the form, so a later change by another person is not overwritten.
  const [{ id, version, name, isShared, isDefault }] = useState(view)
  const write = useWriteForm({
    document: ChangeViewOfContactsDocument,
    initialValues: { name, isShared, isDefault },
    toVariables: values => ({ input: { id, ifVersion: version, ...values } }),
    onWritten: ({ updateSavedView }) => onSaved(updateSavedView),
  })
  return (
    <WriteFormView write={write} verb={listWords.views.saveVerb} onCancel={onClose}>
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
      <Checkbox label={listWords.views.everybody} disabled={!mayWrite} {...form.getInputProps('isShared', { type: 'checkbox' })} />
      <Checkbox label={listWords.views.isDefault} {...form.getInputProps('isDefault', { type: 'checkbox' })} />
    </>
  )
}
