// The columns of the list of imports.

import type { ImportFragment } from '../generated/operations.ts'
import type { ContactImportStatus } from '../generated/schema.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { numberText } from '../language/format.ts'
import { Status, type Tone } from '../pieces/status.tsx'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'

const tones = {
  WAITING: 'waiting',
  QUEUED: 'information',
  RUNNING: 'information',
  COMPLETED: 'good',
  CANCELED: 'quiet',
  FAILED: 'failing',
} as const satisfies Record<ContactImportStatus, Tone>

/** The status of an import, with the percentage while it is running. */
export function Standing({ found }: { found: ImportFragment }) {
  const label = importWords.standing[found.importStatus]
  return <Status tone={tones[found.importStatus]} label={found.importStatus === 'RUNNING' ? `${label}, ${percentOf(found)} %` : label} />
}

/** The part of the file that has been read, in percent; 100 only at the end. */
export const percentOf = ({ bytesRead, byteCount }: ImportFragment): number => Math.floor((100 * bytesRead) / Math.max(byteCount, 1))

export const nameOf = ({ fileName }: { fileName: string | null }): string => fileName ?? importWords.unnamed

const count = (value: number) => (value > 0 ? numberText(value) : null)

const file: Column<ImportFragment> = { id: 'file', header: importWords.file, width: 320, cell: nameOf }
const status: Column<ImportFragment> = {
  id: 'status',
  header: importWords.status,
  width: 140,
  cell: found => <Standing found={found} />,
}
const uploaded: Column<ImportFragment> = {
  id: 'uploaded',
  header: importWords.uploaded,
  width: 140,
  sort: byAge,
  cell: ({ createdAt }) => <Time at={createdAt} />,
}

export const importColumns: readonly Column<ImportFragment>[] = [
  file,
  status,
  { id: 'added', header: importWords.added, width: 96, align: 'right', cell: ({ createdCount }) => count(createdCount) },
  { id: 'changed', header: importWords.changed, width: 96, align: 'right', cell: ({ updatedCount }) => count(updatedCount) },
  { id: 'refused', header: importWords.refused, width: 96, align: 'right', cell: ({ refusedCount }) => count(refusedCount) },
  uploaded,
  { id: 'by', header: importWords.by, width: 160, cell: ({ createdBy }) => createdBy.name },
]

/** A card on a phone has no headers, so its numbers need labels. */
export const importCards: readonly Column<ImportFragment>[] = [
  file,
  status,
  {
    id: 'rows',
    header: importWords.rows,
    cell: ({ createdCount, updatedCount, refusedCount }) =>
      [
        importWords.addedCount(numberText(createdCount)),
        importWords.changedCount(numberText(updatedCount)),
        importWords.refusedCount(numberText(refusedCount)),
      ].join(', '),
  },
  uploaded,
]
