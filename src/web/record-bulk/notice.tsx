// The progress of a change of many records; at the end its result, with an undo for ten seconds.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useQuery } from 'urql'
import { announce } from '../keyboard/announce.tsx'
import { bulkWords } from '../language/en/contact/bulk.ts'
import { contactWords } from '../language/en/contacts.ts'
import { nounWords } from '../language/en/values.ts'
import { countText, numberText } from '../language/format.ts'
import { RecordLink } from '../record/link.tsx'
import type { RecordRef } from '../record/ref.ts'

const undoMs = 10_000
const { done, undoings, doing } = bulkWords
const maxNamed = 5

/** Changes that can be undone. */
export type Undone = keyof typeof undoings

interface BulkFailure {
  id: string
  name: string | null
  otherId: string | null
  error: { code: string; message: string }
}

/** A change as the notice shows it. */
interface BulkState {
  action: keyof typeof doing
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'CANCELED' | 'FAILED'
  statusReason: string | null
  total: number | null
  changedCount: number
  unchangedCount: number
  failedCount: number
  failures: readonly BulkFailure[]
}

/** The changes of a noun: how one is read. */
export interface ChangesOf<Data> {
  noun: RecordRef['noun']
  document: TypedDocumentNode<Data, { id: string }>
  stateOf(data: Data): BulkState | null
}

interface BulkNoticeProps<Data> {
  changes: ChangesOf<Data>
  id: string
  undone: Undone | undefined
  onUndo(what: Undone): void
  onOver(): void
}

export function BulkNotice<Data>({ changes: { noun, document, stateOf }, id, undone, onUndo, onOver }: BulkNoticeProps<Data>) {
  const [{ data }] = useQuery({ query: document, variables: { id }, requestPolicy: 'cache-and-network' })
  const change = data === undefined ? null : stateOf(data)
  const isOver = change?.status === 'COMPLETED' || change?.status === 'FAILED' || change?.status === 'CANCELED'
  const sentence = change ? sentenceOf(change, noun, isOver, undone) : bulkWords.starting
  const latest = useRef(onOver)
  latest.current = onOver
  // Failures stay until somebody dismisses them: reading them takes longer.
  const isBrief = isOver && change.failures.length === 0
  useEffect(() => {
    if (isOver) announce(sentence)
  }, [isOver, sentence])
  useEffect(() => {
    if (!isBrief) return
    const timer = setTimeout(() => latest.current(), undoMs)
    return () => clearTimeout(timer)
  }, [isBrief])
  const what = isOver && change.changedCount > 0 && change.action in undoings ? (change.action as Undone) : null
  const seen = change ? change.changedCount + change.unchangedCount + change.failedCount : 0
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{sentence}</Text>
        {what && (
          <Button
            variant="subtle"
            onClick={() => {
              onOver()
              onUndo(what)
            }}
          >
            {bulkWords.undo}
          </Button>
        )}
      </Group>
      {!isOver && change?.total ? <Progress value={(100 * seen) / change.total} size="xs" aria-label={sentence} /> : null}
      {isOver && <Failures change={change} noun={noun} onLeave={onOver} />}
    </Stack>
  )
}

/** The records that were not changed, with the reasons. */
function Failures({ change: { failures, failedCount }, noun, onLeave }: { change: BulkState; noun: RecordRef['noun']; onLeave(): void }) {
  const named = failures.slice(0, maxNamed)
  const linked = { inherit: true, underline: 'always', onClick: onLeave } as const
  return (
    <>
      {named.map(({ id, name, error, otherId }) => (
        <Text key={id} size="xs" c="dimmed">
          <RecordLink record={{ noun, id }} {...linked}>
            {name ?? contactWords.unnamed}
          </RecordLink>{' '}
          {reasonOf(error, noun)}
          {otherId && (
            <>
              :{' '}
              <RecordLink record={{ noun, id: otherId }} {...linked}>
                {bulkWords.showThatOne}
              </RecordLink>
            </>
          )}
        </Text>
      ))}
      {failedCount > named.length && (
        <Text size="xs" c="dimmed">
          {bulkWords.more(numberText(failedCount - named.length))}
        </Text>
      )}
    </>
  )
}

function reasonOf({ code, message }: BulkFailure['error'], noun: RecordRef['noun']): string {
  if (code === 'ALREADY_EXISTS') return noun === 'company' ? bulkWords.domainTaken : bulkWords.addressTaken
  if (code === 'CONFLICT') return noun === 'company' ? bulkWords.companyMerged : bulkWords.merged
  return bulkWords.notChanged(message)
}

function sentenceOf(
  { action, total, changedCount, failedCount, status, statusReason }: BulkState,
  noun: RecordRef['noun'],
  isOver: boolean,
  undone: Undone | undefined,
): string {
  const what = action === 'UNDO' ? undoings[undone ?? 'UPDATE'] : done[action]
  const contacts = (count: number) => countText(count, nounWords[noun])
  if (!isOver) return doing[action](total === null ? nounWords[noun].other : contacts(total))
  const failed = failedCount > 0 ? bulkWords.failed(numberText(failedCount)) : ''
  if (status === 'FAILED') return bulkWords.stopped(statusReason ?? bulkWords.noReason, what(contacts(changedCount)))
  return what(contacts(changedCount)) + failed
}
