// The progress of an import of several files: each with its counts, in the order of their import.

import { Stack, Title } from '@mantine/core'
import type { ImportFragment } from '../generated/operations.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { nameOf } from './columns.tsx'
import { ImportProgress } from './progress.tsx'

export function FilesProgress({ files, mayWrite }: { files: readonly ImportFragment[]; mayWrite: boolean }) {
  return (
    <Stack gap="xl">
      {files.map(file => (
        <section key={file.id} aria-label={nameOf(file)}>
          <Title order={2} size="h4" mb="xs">
            {importWords.nounOfFile(importWords.nouns[file.noun], nameOf(file))}
          </Title>
          <ImportProgress found={file} mayWrite={mayWrite} />
        </section>
      ))}
    </Stack>
  )
}
