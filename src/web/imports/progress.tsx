// The progress of an import, and the results of its rows.

import { Box, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CancelImportDocument, CreateImportReportDocument } from '../generated/documents/imports.ts'
import type { ImportFragment } from '../generated/operations.ts'
import { confirm } from '../pieces/confirm.tsx'
import { ButtonLink } from '../pieces/links.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { percentOf, Standing } from './columns.tsx'

export function ImportProgress({ found, mayWrite }: { found: ImportFragment; mayWrite: boolean }) {
  const cancel = useMutationWithProblems(CancelImportDocument)
  const report = useMutationWithProblems(CreateImportReportDocument)
  const isOpen = found.importStatus === 'QUEUED' || found.importStatus === 'RUNNING'
  const percent = percentOf(found)
  const failure = cancel.failure ?? report.failure
  const askToCancel = () =>
    confirm({
      title: 'Cancel the import?',
      loses: 'The rows that were imported so far stay. The rest of the file is not read.',
      verb: 'Cancel import',
      onConfirm: () => void cancel.run({ input: { id: found.id } }),
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
      {failure && <ErrorNotice failure={failure} />}
      <Group gap="xs">
        {isOpen ? (
          <Button variant="default" disabled={!mayWrite} loading={cancel.isRunning} onClick={askToCancel}>
            Cancel import
          </Button>
        ) : (
          <ButtonLink to="/contacts">Show the contacts</ButtonLink>
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
      </Group>
    </Stack>
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
