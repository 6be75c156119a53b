// How far a change of many contacts is; when it is over, what came of it, and its undo for ten seconds.

import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useQuery } from 'urql'
import { BulkChangeProgressDocument } from '../../generated/documents/contacts-bulk.ts'
import type { BulkChangeFragment } from '../../generated/operations.ts'
import { announce } from '../../keyboard/announce.tsx'

const undoMs = 10_000
const done = { DELETE: 'deleted', ENRICH: 'queued for enrichment', UNDO: 'restored', UPDATE: 'changed' } as const
const doing = { DELETE: 'Deleting', ENRICH: 'Queueing', UNDO: 'Taking back', UPDATE: 'Changing' } as const

interface BulkNoticeProps {
  id: string
  onUndo(): void
  onOver(): void
}

export function BulkNotice({ id, onUndo, onOver }: BulkNoticeProps) {
  const [{ data }] = useQuery({ query: BulkChangeProgressDocument, variables: { id }, requestPolicy: 'cache-and-network' })
  const change = data?.contactBulkChange
  const isOver = change?.status === 'COMPLETED' || change?.status === 'FAILED' || change?.status === 'CANCELED'
  const sentence = change ? sentenceOf(change, isOver) : 'Starting'
  const latest = useRef(onOver)
  latest.current = onOver
  useEffect(() => {
    if (!isOver) return
    announce(sentence)
    const timer = setTimeout(() => latest.current(), undoMs)
    return () => clearTimeout(timer)
  }, [isOver, sentence])
  const mayUndo = isOver && change.changedCount > 0 && (change.action === 'UPDATE' || change.action === 'DELETE')
  const seen = change ? change.changedCount + change.unchangedCount + change.failedCount : 0
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{sentence}</Text>
        {mayUndo && (
          <Button
            variant="subtle"
            onClick={() => {
              onOver()
              onUndo()
            }}
          >
            Undo
          </Button>
        )}
      </Group>
      {!isOver && change?.total ? <Progress value={(100 * seen) / change.total} size="xs" aria-label={sentence} /> : null}
    </Stack>
  )
}

function sentenceOf({ action, total, changedCount, failedCount, status, statusReason }: BulkChangeFragment, isOver: boolean): string {
  const contacts = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'contact' : 'contacts'}`
  if (!isOver) return `${doing[action]} ${total === null ? 'contacts' : contacts(total)}`
  const failed = failedCount > 0 ? `, ${failedCount.toLocaleString()} could not be` : ''
  if (status === 'FAILED') return `It stopped: ${statusReason ?? 'the server gave no reason'}. ${contacts(changedCount)} ${done[action]}.`
  return `${contacts(changedCount)} ${done[action]}${failed}`
}
