// The notes of a record, pinned ones first. They are written, changed and deleted here.

import { ActionIcon, Badge, Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { IconPencil, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { noteAnchor } from '../../address/note-anchor.ts'
import { useConnection } from '../../data/use-connection.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import {
  AddNoteDocument,
  ChangeNoteDocument,
  DeleteNoteDocument,
  NotesOfRecordDocument,
} from '../../generated/documents/contact-record-activity.ts'
import type { NoteRowFragment } from '../../generated/operations.ts'
import { recordWords } from '../../language/en/contact/record.ts'
import { tellRefusal } from '../../pieces/notices/refusal.tsx'
import { offerUndo } from '../../pieces/notices/undo.tsx'
import { Grown } from '../../pieces/states/grown.tsx'
import { Time } from '../../pieces/time.tsx'
import { concerns, inputOfRecord, type RecordRef } from '../../record/ref.ts'
import { dropDraft, keepDraft, readDraft } from '../../session/drafts.ts'
import { actorName } from '../origin.tsx'
import classes from '../record.module.css'
import { MentionText } from './mention-text.tsx'
import { NoteComposer } from './note-composer.tsx'

const words = recordWords.notes

export default function Notes({ record, mayWrite }: { record: RecordRef; mayWrite: boolean }) {
  const list = useConnection({
    document: NotesOfRecordDocument,
    variables: { id: record.id, first: 50 },
    pick: ({ node }) => (node && 'notes' in node ? node.notes : null),
    isChangedBy: change => /NOTE/.test(change.type) && concerns(record, change),
  })
  return (
    <Stack gap="md" pt="md">
      <NoteComposer record={record} isDisabled={!mayWrite} onWritten={list.refresh} />
      <Grown list={list} height={64} count={3} empty={words.none}>
        {list.rows.map(note => (
          <NoteCard key={note.id} note={note} record={record} mayWrite={mayWrite} onChanged={list.refresh} />
        ))}
      </Grown>
    </Stack>
  )
}

const showInMiddle = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

interface NoteDraft {
  text: string
  /** The version of the note when the draft began. A draft that writes over a later version shows that version first. */
  version: number
}

/** The unsaved change of a note. It survives a closed panel, a lost connection and a new sign-in. */
function useNoteDraft(id: string): [NoteDraft | null, (draft: NoteDraft | null) => void] {
  const name = `change of note ${id}`
  const [draft, setDraft] = useState(() => {
    const { text, version } = readDraft<NoteDraft>(name) ?? {}
    return text === undefined || version === undefined ? null : { text, version }
  })
  const set = (next: NoteDraft | null) => {
    if (next === null) dropDraft(name)
    else keepDraft(name, next)
    setDraft(next)
  }
  return [draft, set]
}

interface NoteCardProps {
  note: NoteRowFragment
  record: RecordRef
  mayWrite: boolean
  onChanged(): void
}

function NoteCard({ note, record, mayWrite, onChanged }: NoteCardProps) {
  const { id, version, text, pinned } = note
  const [draft, setDraft] = useNoteDraft(id)
  // True when the address leads to this note.
  const isLinked = useLocation({ select: ({ hash }) => hash === noteAnchor(id) })
  const change = useMutationWithProblems(ChangeNoteDocument)
  const remove = useMutationWithProblems(DeleteNoteDocument)
  const add = useMutationWithProblems(AddNoteDocument)
  const save = async (next: { text?: string; pinned?: boolean }) => {
    const { failure } = await change.run({ input: { id, ifVersion: version, ...next } })
    if (failure) {
      // When another person has changed the note, the refreshed text is shown beside the draft.
      onChanged()
      return tellRefusal(words.notChanged, failure)
    }
    setDraft(null)
    onChanged()
  }
  const takeAway = async () => {
    const { failure } = await remove.run({ input: { id, ifVersion: version } })
    if (failure) return tellRefusal(words.notDeleted, failure)
    setDraft(null)
    onChanged()
    offerUndo(words.deleted, () => void add.run({ input: { ...inputOfRecord(record), text, pinned } }).then(onChanged))
  }
  return (
    <Paper withBorder p="sm" id={noteAnchor(id)} ref={isLinked ? showInMiddle : undefined}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <Text size="xs" c="dimmed">
          {actorName(note.createdBy)}, <Time at={note.createdAt} />
          {note.updatedAt !== note.createdAt && ' (changed)'}
        </Text>
        <Group gap={2} wrap="nowrap">
          {pinned && (
            <Badge variant="default" size="sm" tt="none" fw={400}>
              {words.pinned}
            </Badge>
          )}
          <ActionIcon aria-label={pinned ? words.unpin : words.pin} disabled={!mayWrite} onClick={() => void save({ pinned: !pinned })}>
            {pinned ? <IconPinnedOff /> : <IconPin />}
          </ActionIcon>
          <ActionIcon aria-label={words.change} disabled={!mayWrite} onClick={() => setDraft({ text, version })}>
            <IconPencil />
          </ActionIcon>
          <ActionIcon aria-label={words.delete} disabled={!mayWrite} onClick={() => void takeAway()}>
            <IconTrash />
          </ActionIcon>
        </Group>
      </Group>
      {draft === null ? (
        <Text size="md" className={classes.text}>
          <MentionText text={text} mentions={note.mentions} />
        </Text>
      ) : (
        <Stack gap={6}>
          <Textarea
            aria-label={words.note}
            autosize
            autoFocus
            value={draft.text}
            onChange={event => setDraft({ ...draft, text: event.currentTarget.value })}
            onKeyDown={event => {
              if (event.key === 'Escape') setDraft(null)
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save({ text: draft.text.trim() })
            }}
          />
          {draft.version !== version && (
            <>
              <Text size="sm" c="dimmed">
                {words.changedMeanwhile}
              </Text>
              <Text size="md" className={classes.text}>
                <MentionText text={text} mentions={note.mentions} />
              </Text>
            </>
          )}
          <Group gap="xs">
            <Button loading={change.isRunning} disabled={draft.text.trim() === ''} onClick={() => void save({ text: draft.text.trim() })}>
              {draft.version === version ? words.save : words.replace}
            </Button>
            <Button variant="default" onClick={() => setDraft(null)}>
              {words.cancel}
            </Button>
          </Group>
        </Stack>
      )}
    </Paper>
  )
}
