// The progress of an import of several files: each with its counts, in the order of their import.

import { Group, Stack, Text, Title } from '@mantine/core'
import type { ImportFragment } from '../generated/operations.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { numberText } from '../language/format.ts'
import { nameOf } from './columns.tsx'
import classes from './imports.module.css'
import { ImportActions, ImportStanding, UndoImport, Undone } from './progress.tsx'

export function FilesProgress({ files, mayWrite }: { files: readonly ImportFragment[]; mayWrite: boolean }) {
  return (
    <Stack gap={0} maw={960}>
      {files.map(file => (
        <section key={file.id} aria-label={nameOf(file)} className={classes.fileProgress}>
          <Group justify="space-between" align="start">
            <div>
              <Title order={2} size="h4" mb={4}>
                {importWords.nounOfFile(importWords.nouns[file.noun], nameOf(file))}
              </Title>
              <ImportStanding found={file} />
              <Text size="sm" c="dimmed">
                {countsOf(file)}
              </Text>
              {file.undo && <Undone found={file} />}
            </div>
            <Group gap="xs">
              <ImportActions found={file} mayWrite={mayWrite} />
            </Group>
          </Group>
        </section>
      ))}
      <Group mt="md">
        <UndoImport files={files} mayWrite={mayWrite} />
      </Group>
    </Stack>
  )
}

const countsOf = ({ createdCount, updatedCount, skippedCount, refusedCount }: ImportFragment): string =>
  [
    importWords.addedCount(numberText(createdCount)),
    importWords.changedCount(numberText(updatedCount)),
    importWords.skippedCount(numberText(skippedCount)),
    importWords.refusedCount(numberText(refusedCount)),
  ].join(', ')
