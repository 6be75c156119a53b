// The progress of an import, and the results of its rows.

import { Box, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CancelImportDocument, CreateImportReportDocument, UndoImportDocument } from '../generated/documents/imports.ts'
import type { ImportFragment } from '../generated/operations.ts'
import { confirm } from '../pieces/confirm.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Status } from '../pieces/status.tsx'
import { percentOf, Standing } from './columns.tsx'

export function ImportProgress({ found, mayWrite }: { found: ImportFragment; mayWrite: boolean }) {
  const cancel = useMutationWithProblems(CancelImportDocument)
  const report = useMutationWithProblems(CreateImportReportDocument)
  const isOpen = found.importStatus === 'QUEUED' || found.importStatus === 'RUNNING'
  const percent = percentOf(found)
  const undo = useMutationWithProblems(UndoImportDocument)
  const failure = cancel.failure ?? report.failure ?? undo.failure
  const askToCancel = () =>
    confirm({
      title: 'Cancel the import?',
      loses: 'The rows that were imported so far stay. The rest of the file is not read.',
      verb: 'Cancel import',
      onConfirm: () => void cancel.run({ input: { id: found.id } }),
    })
  const written = found.createdCount + found.updatedCount
  const isUndone = found.undo?.undoStatus === 'COMPLETED' && found.undo.keptCount + found.undo.restoredCount === 0
  const mayUndo =
    !isOpen &&
    written > 0 &&
    (found.undo === null || found.undo.undoStatus === 'FAILED') &&
    found.undoableUntil !== null &&
    Date.parse(found.undoableUntil) > Date.now()
  const askToUndo = () =>
    confirm({
      title: 'Undo this import?',
      loses: 'Contacts that it added are deleted, and changed ones get their former values. Contacts that somebody has changed since stay.',
      verb: 'Undo import',
      onConfirm: () => void undo.run({ input: { id: found.id } }),
    })
  const download = async () => {
    const { data } = await report.run({ input: { id: found.id } })
    // The answer is a file, so the browser stays on the page.
    if (data) window.location.assign(data.createContactImportReport.url)
  }
  return (
    <Stack gap="lg" maw={720}>
      <div>
        <Box mb={6}>
          <Standing found={found} />
        </Box>
        {isOpen && <Progress value={percent} aria-label={`${percent} % of the file is read`} />}
        {found.statusReason && (
          <Text size="sm" c="dimmed">
            {found.statusReason}
          </Text>
        )}
      </div>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Count label="Added" value={found.createdCount} />
        <Count label="Changed" value={found.updatedCount} />
        <Count label="Left as they are" value={found.skippedCount} />
        <Count label="Refused" value={found.refusedCount} />
      </SimpleGrid>
      {found.undo && <Undone undo={found.undo} />}
      {failure && <ErrorNotice failure={failure} />}
      <Group gap="xs">
        {isOpen ? (
          <Button variant="default" disabled={!mayWrite} loading={cancel.isRunning} onClick={askToCancel}>
            Cancel import
          </Button>
        ) : (
          written > 0 &&
          !isUndone && (
            <ButtonLink to="/contacts" search={{ import: found.id }}>
              {`Show ${written === 1 ? 'this contact' : `these ${written.toLocaleString()}`}`}
            </ButtonLink>
          )
        )}
        {!isOpen && found.refusedCount > 0 && (
          <Button
            variant="default"
            leftSection={<IconDownload />}
            disabled={!mayWrite}
            loading={report.isRunning}
            onClick={() => void download()}
          >
            Download refused rows
          </Button>
        )}
        {mayUndo && (
          <Button variant="default" disabled={!mayWrite} loading={undo.isRunning} onClick={askToUndo}>
            Undo this import
          </Button>
        )}
      </Group>
    </Stack>
  )
}

const contacts = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'contact' : 'contacts'}`

function Undone({ undo }: { undo: NonNullable<ImportFragment['undo']> }) {
  const { undoStatus, statusReason, deletedCount, restoredCount, keptCount, goneCount } = undo
  const isOpen = undoStatus === 'QUEUED' || undoStatus === 'RUNNING'
  const parts = [
    `${contacts(deletedCount)} deleted`,
    ...(restoredCount > 0 ? [`${contacts(restoredCount)} with former values again`] : []),
    ...(keptCount > 0 ? [`${contacts(keptCount)} kept, because somebody has changed or used them since`] : []),
    ...(goneCount > 0 ? [`${contacts(goneCount)} deleted before`] : []),
  ]
  return (
    <div aria-live="polite">
      <Status
        tone={isOpen ? 'information' : undoStatus === 'FAILED' ? 'failing' : 'quiet'}
        label={isOpen ? 'Undoing' : undoStatus === 'FAILED' ? 'The undo stopped' : 'Undone'}
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
        {value.toLocaleString()}
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </div>
  )
}
