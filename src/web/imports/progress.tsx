// The progress of an import, and the results of its rows.

import { Box, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CancelImportDocument, CreateImportReportDocument, UndoImportDocument } from '../generated/documents/imports.ts'
import type { ImportFragment } from '../generated/operations.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { nounWords } from '../language/en/values.ts'
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
      <ImportActions found={found} mayWrite={mayWrite} />
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

/** The undo of the import of a file, and what somebody can do with it. */
export function ImportActions({ found, mayWrite }: ImportProgressProps) {
  const cancel = useMutationWithProblems(CancelImportDocument)
  const report = useMutationWithProblems(CreateImportReportDocument)
  const undo = useMutationWithProblems(UndoImportDocument)
  const failure = cancel.failure ?? report.failure ?? undo.failure
  const askToCancel = () =>
    confirm({
      title: importWords.cancelQuestion,
      loses: importWords.cancelLoses,
      verb: importWords.cancelImport,
      onConfirm: () => void cancel.run({ input: { id: found.id } }),
    })
  const written = found.createdCount + found.updatedCount
  const isUndone = found.undo?.undoStatus === 'COMPLETED' && found.undo.keptCount + found.undo.restoredCount === 0
  const mayUndo =
    !isOpen(found) &&
    written > 0 &&
    (found.undo === null || found.undo.undoStatus === 'FAILED') &&
    found.undoableUntil !== null &&
    Date.parse(found.undoableUntil) > Date.now()
  const askToUndo = () =>
    confirm({
      title: importWords.undoQuestion,
      loses: importWords.undoLoses,
      verb: importWords.undoVerb,
      onConfirm: () => void undo.run({ input: { id: found.id } }),
    })
  const download = async () => {
    const { data } = await report.run({ input: { id: found.id } })
    // The answer is a file, so the browser stays on the page.
    if (data) window.location.assign(data.createContactImportReport.url)
  }
  return (
    <>
      {found.undo && <Undone undo={found.undo} />}
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
        {mayUndo && (
          <Button variant="default" disabled={!mayWrite} loading={undo.isRunning} onClick={askToUndo}>
            {importWords.undo}
          </Button>
        )}
      </Group>
    </>
  )
}

const contacts = (count: number) => countText(count, nounWords.contact)

function Undone({ undo }: { undo: NonNullable<ImportFragment['undo']> }) {
  const { undoStatus, statusReason, deletedCount, restoredCount, keptCount, goneCount } = undo
  const isOpen = undoStatus === 'QUEUED' || undoStatus === 'RUNNING'
  const parts = [
    importWords.deleted(contacts(deletedCount)),
    ...(restoredCount > 0 ? [importWords.restored(contacts(restoredCount))] : []),
    ...(keptCount > 0 ? [importWords.kept(contacts(keptCount))] : []),
    ...(goneCount > 0 ? [importWords.gone(contacts(goneCount))] : []),
  ]
  return (
    <div aria-live="polite">
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
    </div>
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
