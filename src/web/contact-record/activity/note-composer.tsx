// Writes a note; Ctrl and Enter saves it. The typed text is kept while somebody signs in again.

import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { AddNoteDocument } from '../../generated/documents/contact-record-activity.ts'
import { announce } from '../../keyboard/announce.tsx'
import { useShortcut } from '../../keyboard/shortcuts.ts'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'

interface NoteComposerProps {
  contactId: string
  isDisabled: boolean
  onWritten?: () => void
}

export function NoteComposer({ contactId, isDisabled, onWritten }: NoteComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const write = useWriteForm({
    document: AddNoteDocument,
    draft: `note ${contactId}`,
    initialValues: { text: '' },
    validate: { text: text => (text.trim() === '' ? 'Write something first' : null) },
    toVariables: ({ text }) => ({ input: { contactId, text: text.trim() } }),
    onWritten: () => {
      write.form.setValues({ text: '' })
      announce('Note saved')
      onWritten?.()
    },
  })
  const { form } = write
  useShortcut('N', 'Write a note', () => input.current?.focus(), { isOn: !isDisabled })
  return (
    <form onSubmit={write.onSubmit} noValidate>
      <Stack gap={6}>
        <Textarea
          ref={input}
          aria-label="Note"
          placeholder={isDisabled ? 'Sign up, or ask for a role that writes, to add notes' : 'Write a note'}
          autosize
          minRows={2}
          maxRows={10}
          disabled={isDisabled}
          {...form.getInputProps('text')}
          onKeyDown={event => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
        {write.failure && <ErrorNotice failure={write.failure} />}
        <Group>
          <Button type="submit" disabled={isDisabled} loading={write.isRunning}>
            Add note
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
