// Edits a field of a contact in its place.

import { lazy } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { type EditorOf, FieldEditor } from './field-editor.tsx'
import type { Contact } from './fields.ts'
import { useContactEdit } from './use-field-edit.ts'

const CompanyEditor = lazy(() => loadPart(() => import('../company/editor.tsx')))

export function ContactEditor(props: EditorOf<Contact>) {
  const save = useContactEdit()
  return props.field.id === 'companyName' ? <CompanyEditor {...props} save={save} /> : <FieldEditor {...props} save={save} />
}
