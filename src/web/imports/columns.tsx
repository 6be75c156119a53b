// The columns of the list of imports.

import type { ImportFragment } from '../generated/operations.ts'
import type { ContactImportStatus } from '../generated/schema.ts'
import { Status, type Tone } from '../pieces/status.tsx'
import { Time } from '../pieces/time.tsx'
import { byAge, type Column } from '../table/columns.ts'

const standings = {
  WAITING: ['waiting', 'Not started'],
  QUEUED: ['information', 'Begins soon'],
  RUNNING: ['information', 'Running'],
  COMPLETED: ['good', 'Imported'],
  CANCELED: ['quiet', 'Canceled'],
  FAILED: ['failing', 'Stopped'],
} as const satisfies Record<ContactImportStatus, readonly [Tone, string]>

/** The status of an import, with the percentage while it is running. */
export function Standing({ found }: { found: ImportFragment }) {
  const [tone, label] = standings[found.importStatus]
  return <Status tone={tone} label={found.importStatus === 'RUNNING' ? `${label}, ${percentOf(found)} %` : label} />
}

/** The part of the file that has been read, in percent; 100 only at the end. */
export const percentOf = ({ bytesRead, byteCount }: ImportFragment): number => Math.floor((100 * bytesRead) / Math.max(byteCount, 1))

export const nameOf = ({ fileName }: { fileName: string | null }): string => fileName ?? 'Unnamed file'

const count = (value: number) => (value > 0 ? value.toLocaleString() : null)

const file: Column<ImportFragment> = { id: 'file', header: 'File', width: 320, cell: nameOf }
const status: Column<ImportFragment> = {
  id: 'status',
  header: 'Status',
  width: 140,
  cell: found => <Standing found={found} />,
}
const uploaded: Column<ImportFragment> = {
  id: 'uploaded',
  header: 'Uploaded',
  width: 140,
  sort: byAge,
  cell: ({ createdAt }) => <Time at={createdAt} />,
}

export const importColumns: readonly Column<ImportFragment>[] = [
  file,
  status,
  { id: 'added', header: 'Added', width: 96, align: 'right', cell: ({ createdCount }) => count(createdCount) },
  { id: 'changed', header: 'Changed', width: 96, align: 'right', cell: ({ updatedCount }) => count(updatedCount) },
  { id: 'refused', header: 'Refused', width: 96, align: 'right', cell: ({ refusedCount }) => count(refusedCount) },
  uploaded,
  { id: 'by', header: 'By', width: 160, cell: ({ createdBy }) => createdBy.name },
]

/** A card on a phone has no headers, so its numbers need labels. */
export const importCards: readonly Column<ImportFragment>[] = [
  file,
  status,
  {
    id: 'rows',
    header: 'Rows',
    cell: ({ createdCount, updatedCount, refusedCount }) =>
      [
        `${createdCount.toLocaleString()} added`,
        `${updatedCount.toLocaleString()} changed`,
        `${refusedCount.toLocaleString()} refused`,
      ].join(', '),
  },
  uploaded,
]
