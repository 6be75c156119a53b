// Writes a note; Ctrl and Enter saves it. The typed text is kept while somebody signs in again.

import { Button, Group, Stack, Textarea } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { loadPart } from '../../app/loaded.ts'
import { Restored } from '../../forms/restored.tsx'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { AddNoteDocument } from '../../generated/documents/contact-record-activity.ts'
import { announce } from '../../keyboard/announce.tsx'
import { useShortcut } from '../../keyboard/shortcuts.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import { inputOfRecord, type RecordRef } from '../../record/ref.ts'
import { useMe } from '../../session/use-me.ts'
import type { MentionKeys } from './mention-list.tsx'

const MentionList = lazy(() => loadPart(() => import('./mention-list.tsx')))

/** `@` and what stands behind it at the caret, if a name is being typed there. */
function mentionAt(text: string, caret: number): { start: number; typed: string } | null {
  const found = /(?:^|[^\p{L}\p{N}])@([\p{L}\p{N}.@_-]{0,40}(?: [\p{L}\p{N}-]{0,40})?)$/u.exec(text.slice(0, caret))
  const typed = found?.[1]
  return typed === undefined ? null : { start: caret - typed.length, typed }
}

const words = recordWords.notes

interface NoteComposerProps {
  record: RecordRef
  isDisabled: boolean
  onWritten?: () => void
}

export function NoteComposer({ record, isDisabled, onWritten }: NoteComposerProps) {
  // While the server cannot be reached somebody goes on typing: a disabled field would drop the letters.
  const { mayWrite, isOff } = useMe()
  const isAway = mayWrite && isOff
  const isClosed = isDisabled && !isAway
  const input = useRef<HTMLTextAreaElement>(null)
  const mentionKeys = useRef<MentionKeys | null>(null)
  const [mention, setMention] = useState<ReturnType<typeof mentionAt>>(null)
  const write = useWriteForm({
    document: AddNoteDocument,
    draft: `note ${record.id}`,
    initialValues: { text: '' },
    validate: { text: text => (text.trim() === '' ? words.empty : null) },
    toVariables: ({ text }) => ({ input: { ...inputOfRecord(record), text: text.trim() } }),
    onWritten: () => {
      write.form.setValues({ text: '' })
      announce(words.saved)
      onWritten?.()
    },
  })
  const { form } = write
  const text = form.getInputProps('text')
  const pick = (name: string) => {
    if (!mention) return
    const { text: before } = form.getValues()
    const end = mention.start + mention.typed.length
    const after = before.slice(end)
    const next = `${before.slice(0, mention.start)}${name}${after.startsWith(' ') ? '' : ' '}`
    form.setFieldValue('text', next + after)
    setMention(null)
    // The form shows a value that it sets in a new input, which does not have the focus.
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(next.length, next.length)
    })
  }
  useShortcut('N', words.write, () => input.current?.focus(), { isOn: !isDisabled })
  return (
    <form onSubmit={write.onSubmit} noValidate>
      <Stack gap={6}>
        <Textarea
          ref={input}
          aria-label={words.note}
          placeholder={isClosed ? words.mayNot : words.write}
          autosize
          minRows={2}
          maxRows={10}
          disabled={isClosed}
          {...text}
          onChange={event => {
            text.onChange(event)
            setMention(mentionAt(event.currentTarget.value, event.currentTarget.selectionStart))
          }}
          onBlur={() => setMention(null)}
          onKeyDown={event => {
            if (mention && mentionKeys.current?.(event.key)) return event.preventDefault()
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
        {mention && (
          <Suspense>
            <MentionList typed={mention.typed} keys={mentionKeys} onPick={pick} onClose={() => setMention(null)} />
          </Suspense>
        )}
        <Restored draft={write.restored} />
        {write.failure && <ErrorNotice failure={write.failure} />}
        <Group>
          <Button type="submit" disabled={isDisabled} loading={write.isRunning}>
            {words.add}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
