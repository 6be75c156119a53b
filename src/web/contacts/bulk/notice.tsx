// The progress of a change of many contacts; at the end its result, with an undo for ten seconds.

import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useQuery } from 'urql'
import { BulkChangeProgressDocument } from '../../generated/documents/contacts-bulk.ts'
import type { BulkChangeFragment } from '../../generated/operations.ts'
import { announce } from '../../keyboard/announce.tsx'
import { bulkWords } from '../../language/en/contact/list.ts'
import { contactWords } from '../../language/en/contacts.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText, numberText } from '../../language/format.ts'
import { AnchorLink } from '../../pieces/links.tsx'

const undoMs = 10_000
const { done, undoings, doing } = bulkWords
const maxNamed = 5

/** Changes that can be undone. */
export type Undone = keyof typeof undoings

interface BulkNoticeProps {
  id: string
  undone: Undone | undefined
  onUndo(what: Undone): void
  onOver(): void
}

export function BulkNotice({ id, undone, onUndo, onOver }: BulkNoticeProps) {
  const [{ data }] = useQuery({ query: BulkChangeProgressDocument, variables: { id }, requestPolicy: 'cache-and-network' })
  const change = data?.contactBulkChange
  const isOver = change?.status === 'COMPLETED' || change?.status === 'FAILED' || change?.status === 'CANCELED'
  const sentence = change ? sentenceOf(change, isOver, undone) : bulkWords.starting
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
      {isOver && <Failures change={change} onLeave={onOver} />}
    </Stack>
  )
}

/** The contacts that were not changed, with the reasons. */
function Failures({ change: { failures, failedCount }, onLeave }: { change: BulkChangeFragment; onLeave(): void }) {
  const named = failures.slice(0, maxNamed)
  return (
    <>
      {named.map(({ contactId, contact, error, otherId }) => (
        <Text key={contactId} size="xs" c="dimmed">
          <AnchorLink to="/contacts/$contactId" params={{ contactId }} inherit underline="always" onClick={onLeave}>
            {contact?.fullName ?? contact?.email ?? contactWords.unnamed}
          </AnchorLink>{' '}
          {reasonOf(error)}
          {otherId && (
            <>
              :{' '}
              <AnchorLink to="/contacts/$contactId" params={{ contactId: otherId }} inherit underline="always" onClick={onLeave}>
                {bulkWords.showThatOne}
              </AnchorLink>
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

function reasonOf({ code, message }: BulkChangeFragment['failures'][number]['error']): string {
  if (code === 'ALREADY_EXISTS') return bulkWords.addressTaken
  if (code === 'CONFLICT') return bulkWords.merged
  return bulkWords.notChanged(message)
}

function sentenceOf(
  { action, total, changedCount, failedCount, status, statusReason }: BulkChangeFragment,
  isOver: boolean,
  undone: Undone | undefined,
): string {
  const what = action === 'UNDO' ? undoings[undone ?? 'UPDATE'] : done[action]
  const contacts = (count: number) => countText(count, nounWords.contact)
  if (!isOver) return doing[action](total === null ? nounWords.contact.other : contacts(total))
  const failed = failedCount > 0 ? bulkWords.failed(numberText(failedCount)) : ''
  if (status === 'FAILED') return bulkWords.stopped(statusReason ?? bulkWords.noReason, what(contacts(changedCount)))
  return what(contacts(changedCount)) + failed
}
