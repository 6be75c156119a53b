// The progress of an import, and the results of its rows.

import { Box, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CancelImportDocument, CreateImportReportDocument, UndoImportDocument } from '../generated/documents/imports.ts'
import type { ImportFragment } from '../generated/operations.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { countText, numberText } from '../language/format.ts'
import { confirm } from '../pieces/confirm.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Status } from '../pieces/status.tsx'
import { percentOf, Standing } from './columns.tsx'

interface ImportProgressProps {
  found: ImportFragment
  mayWrite: boolean
}

export function ImportProgress({ found, mayWrite }: ImportProgressProps) {
  return (
    <Stack gap="lg" maw={720}>
      <ImportStanding found={found} />
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Count label={importWords.added} value={found.createdCount} />
        <Count label={importWords.changed} value={found.updatedCount} />
        <Count label={importWords.skipped} value={found.skippedCount} />
        <Count label={importWords.refused} value={found.refusedCount} />
      </SimpleGrid>
      {found.undo && <Undone found={found} />}
      <ImportActions found={found} mayWrite={mayWrite}>
        <UndoImport files={[found]} mayWrite={mayWrite} />
      </ImportActions>
    </Stack>
  )
}

const isOpen = ({ importStatus }: ImportFragment) => importStatus === 'QUEUED' || importStatus === 'RUNNING'

/** How far the import of a file has come, and why it ended early. */
export function ImportStanding({ found }: { found: ImportFragment }) {
  const percent = percentOf(found)
  return (
    <div>
      <Box mb={6}>
        <Standing found={found} />
      </Box>
      {isOpen(found) && <Progress value={percent} aria-label={importWords.percentRead(percent)} />}
      {found.statusReason && (
        <Text size="sm" c="dimmed">
          {found.statusReason}
        </Text>
      )}
    </div>
  )
}

const pages = { COMPANY: '/companies', DEAL: '/deals', TASK: '/tasks' } as const

/** The actions on the import of a file. */
export function ImportActions({ found, mayWrite, children }: ImportProgressProps & { children?: ReactNode }) {
  const cancel = useMutationWithProblems(CancelImportDocument)
  const report = useMutationWithProblems(CreateImportReportDocument)
  const failure = cancel.failure ?? report.failure
  const askToCancel = () =>
    confirm({
      title: importWords.cancelQuestion,
      loses: importWords.cancelLoses,
      verb: importWords.cancelImport,
      onConfirm: () => void cancel.run({ input: { id: found.id } }),
    })
  const written = found.createdCount + found.updatedCount
  const isUndone = found.undo?.undoStatus === 'COMPLETED' && found.undo.keptCount + found.undo.restoredCount === 0
  const download = async () => {
    const { data } = await report.run({ input: { id: found.id } })
    // The answer is a file, so the browser stays on the page.
    if (data) window.location.assign(data.createContactImportReport.url)
  }
  return (
    <>
      {failure && <ErrorNotice failure={failure} />}
      <Group gap="xs">
        {isOpen(found) ? (
          <Button variant="default" disabled={!mayWrite} loading={cancel.isRunning} onClick={askToCancel}>
            {importWords.cancelImport}
          </Button>
        ) : found.noun === 'CONTACT' ? (
          written > 0 &&
          !isUndone && (
            <ButtonLink to="/contacts" search={{ import: found.id }}>
              {written === 1 ? importWords.showOne : importWords.showThese(numberText(written))}
            </ButtonLink>
          )
        ) : (
          found.noun !== 'NOTE' && (
            <ButtonLink to={pages[found.noun]} variant="default">
              {importWords.nouns[found.noun]}
            </ButtonLink>
          )
        )}
        {!isOpen(found) && found.refusedCount > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload />}
            disabled={!mayWrite}
            loading={report.isRunning}
            onClick={() => void download()}
          >
            {importWords.download}
          </Button>
        )}
        {children}
      </Group>
    </>
  )
}

interface UndoImportProps {
  /** All of an import, the first one first. */
  files: readonly ImportFragment[]
  mayWrite: boolean
}

/** The button that takes back an import with all of its files. */
export function UndoImport({ files, mayWrite }: UndoImportProps) {
  const undo = useMutationWithProblems(UndoImportDocument)
  const [first] = files
  const isLeft = ({ undo: before, createdCount, updatedCount }: ImportFragment) =>
    createdCount + updatedCount > 0 && (before === null || before.undoStatus === 'FAILED')
  const isInTime = ({ undoableUntil }: ImportFragment) => undoableUntil !== null && Date.parse(undoableUntil) > Date.now()
  if (!first || files.some(isOpen) || !files.some(isLeft) || !isInTime(first)) return null
  const askToUndo = () =>
    confirm({
      title: importWords.undoQuestion,
      loses: importWords.undoLoses,
      verb: importWords.undoVerb,
      onConfirm: () => void undo.run({ input: { id: first.id } }),
    })
  return (
    <>
      <Button variant="default" disabled={!mayWrite} loading={undo.isRunning} onClick={askToUndo}>
        {importWords.undo}
      </Button>
      {undo.failure && <ErrorNotice failure={undo.failure} />}
    </>
  )
}

/** How far the undo of the import of a file has come. */
export function Undone({ found: { noun, undo } }: { found: ImportFragment }) {
  if (!undo) return null
  const { undoStatus, statusReason, deletedCount, restoredCount, keptCount, goneCount, companiesDeletedCount } = undo
  const records = (count: number) => countText(count, importWords.recordOf[noun])
  const isOpen = undoStatus === 'QUEUED' || undoStatus === 'RUNNING'
  const parts = [
    importWords.deleted(records(deletedCount)),
    ...(companiesDeletedCount > 0 ? [importWords.madeDeleted(countText(companiesDeletedCount, importWords.recordOf.COMPANY))] : []),
    ...(restoredCount > 0 ? [importWords.restored(records(restoredCount))] : []),
    ...(keptCount > 0 ? [importWords.kept(records(keptCount))] : []),
    ...(goneCount > 0 ? [importWords.gone(records(goneCount))] : []),
  ]
  return (
    <Box aria-live="polite" mt={6}>
      <Status
        tone={isOpen ? 'information' : undoStatus === 'FAILED' ? 'failing' : 'quiet'}
        label={isOpen ? importWords.undoing : undoStatus === 'FAILED' ? importWords.undoStopped : importWords.undone}
      />
      <Text size="sm">{parts.join(', ')}.</Text>
      {statusReason && (
        <Text size="sm" c="dimmed">
          {statusReason}
        </Text>
      )}
    </Box>
  )
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <Text size="xl" fw={600}>
        {numberText(value)}
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </div>
  )
}
