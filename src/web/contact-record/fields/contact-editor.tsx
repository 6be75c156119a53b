// Edits a field of a contact in its place.

import { type EditorOf, FieldEditor } from './field-editor.tsx'
import type { Contact } from './fields.ts'
import { useContactEdit } from './use-field-edit.ts'

export const ContactEditor = (props: EditorOf<Contact>) => <FieldEditor {...props} save={useContactEdit()} />
