// An import of several files before its start: one file after the other is looked at, and the last one starts all.

import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { ImportToMapDocument, StartImportDocument } from '../generated/documents/imports.ts'
import type { StartContactImportInput } from '../generated/operations.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { Unread } from '../pieces/states/unread.tsx'
import { dropDraft, keepDraft, readDraft } from '../session/drafts.ts'
import { nameOf } from './columns.tsx'
import classes from './imports.module.css'
import type { ImportToMap } from './mapping.ts'
import { dropAnswers } from './settings.ts'
import { ImportSetup } from './setup.tsx'

interface ImportFilesProps {
  first: ImportToMap
  mayWrite: boolean
  isGuest: boolean
}

interface Looked {
  current: string
  /** The settings of the files that somebody has looked at, by their ids. */
  ready: Readonly<Record<string, StartContactImportInput>>
}

export function ImportFiles({ first, mayWrite, isGuest }: ImportFilesProps) {
  const draft = `import files ${first.id}`
  const files = first.files.filter(({ importStatus }) => importStatus === 'WAITING')
  const [kept, setKept] = useState(() => readDraft<Looked>(draft))
  const ready = kept?.ready ?? {}
  const current = files.find(({ id }) => id === kept?.current) ?? files[0] ?? first
  const read = useRead(ImportToMapDocument, { id: current.id })
  const found = read.data?.contactImport
  const start = useMutationWithProblems(StartImportDocument)
  const look = (next: Looked) => {
    keepDraft(draft, next)
    setKept(next)
  }
  const next = files.find(({ id }) => id !== current.id && !ready[id])
  const go = async (settings: StartContactImportInput) => {
    const all = { ...ready, [current.id]: settings }
    if (next) return look({ current: next.id, ready: all })
    const others = files.flatMap(({ id }) => {
      const own = all[id]
      return id === first.id || !own ? [] : [own]
    })
    const { data } = await start.run({ input: { ...(all[first.id] ?? { id: first.id }), files: others } })
    if (!data) return
    for (const { id } of files) dropAnswers(id)
    dropDraft(draft)
  }
  return (
    <Stack gap="lg">
      <nav aria-label={importWords.files}>
        <Text size="sm" c="dimmed" mb="xs">
          {importWords.together}
        </Text>
        <ol className={classes.files}>
          {files.map(file => (
            <li key={file.id}>
              <Button
                variant={file.id === current.id ? 'light' : 'subtle'}
                color={file.id === current.id ? undefined : 'gray'}
                aria-current={file.id === current.id ? 'true' : undefined}
                onClick={() => look({ current: file.id, ready })}
                className={classes.fileName}
              >
                {importWords.nouns[file.noun]}
                <Text component="span" size="xs" c="dimmed" ml={8} truncate>
                  {ready[file.id] ? importWords.checked(nameOf(file)) : nameOf(file)}
                </Text>
              </Button>
            </li>
          ))}
        </ol>
      </nav>
      {found ? (
        <ImportSetup
          key={found.id}
          found={found}
          mayWrite={mayWrite}
          isGuest={isGuest}
          next={{
            label: next ? importWords.nextFile(importWords.nouns[next.noun]) : importWords.importFiles(files.length),
            isRunning: start.isRunning,
            failure: start.failure,
            go: settings => void go(settings),
          }}
        />
      ) : (
        <Group>
          <Unread read={read} />
        </Group>
      )}
    </Stack>
  )
}
