// The archive of an organization: everything as one file, for its owners.

import { Button } from '@mantine/core'
import { useDownload } from '../data/use-download.ts'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CreateArchiveDocument, CreateArchiveDownloadDocument, LatestArchiveDocument } from '../generated/documents/settings.ts'
import type { ArchiveStateFragment } from '../generated/operations.ts'
import { organizationWords } from '../language/en/settings/organization.ts'
import { decimalText, numberText } from '../language/format.ts'
import { useIsAway } from '../live/connectivity.ts'
import { exact } from '../pieces/time.tsx'
import { Row, Rows, Section } from './section.tsx'

export function Archive() {
  const isAway = useIsAway()
  const read = useRead(LatestArchiveDocument, {}, { isFresh: true })
  const making = useMutationWithProblems(CreateArchiveDocument)
  const words = { downloaded: organizationWords.archiveComes, failed: organizationWords.noArchive }
  const { download, isRunning } = useDownload(CreateArchiveDownloadDocument, data => data.createArchiveDownload, words)
  const archive = read.data?.archive
  const isOpen = archive?.status === 'QUEUED' || archive?.status === 'RUNNING'
  const make = () => void making.run({}).then(({ failure }) => failure ?? read.reread())
  return (
    <Section
      title={organizationWords.archive}
      sentence={organizationWords.archiveSentence}
      read={read}
      failure={making.failure}
      action={
        <Button variant="default" disabled={isAway || isOpen || !read.data} loading={making.isRunning} onClick={make}>
          {archive ? organizationWords.makeAnother : organizationWords.makeArchive}
        </Button>
      }
    >
      {archive && (
        <Rows label={organizationWords.archive}>
          <Row
            name={<output>{organizationWords.archiveStatus[archive.status]}</output>}
            facts={<Facts archive={archive} />}
            actions={
              archive.status === 'READY' && (
                <Button variant="default" disabled={isAway} loading={isRunning} onClick={() => void download({})}>
                  {organizationWords.archiveDownload}
                </Button>
              )
            }
          />
        </Rows>
      )}
    </Section>
  )
}

const Facts = ({ archive: { status, rowCount, byteCount, createdAt, expiresAt } }: { archive: ArchiveStateFragment }) => (
  <>
    <span>{organizationWords.archiveAsked(exact(createdAt))}</span>
    {status !== 'FAILED' && <span>{organizationWords.archiveRows(numberText(rowCount))}</span>}
    {byteCount !== null && <span>{organizationWords.archiveSize(decimalText(byteCount / 1_000_000))}</span>}
    {status === 'READY' && <span>{organizationWords.archiveUntil(exact(expiresAt))}</span>}
  </>
)
