// The place to drop files to import together, or to choose them.

import { Button, Group, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { type Failure, failureFrom } from '../data/failure.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import classes from './imports.module.css'
import { maxFileBytes, uploadImport } from './upload.ts'

const types = {
  'text/csv': ['.csv'],
  'text/tab-separated-values': ['.tsv'],
  'text/plain': ['.txt'],
  // Windows uses this type for CSV.
  'application/vnd.ms-excel': ['.csv'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'text/vcard': ['.vcf'],
  'text/x-vcard': ['.vcf'],
}

/** As many as an import has. */
const maxFiles = 10

const refusals: Readonly<Record<string, string>> = importWords.refusals

interface DropFileProps {
  isDisabled: boolean
  isGuest: boolean
  onUploaded(id: string): void
}

export function DropFile({ isDisabled, isGuest, onUploaded }: DropFileProps) {
  const choose = useRef<() => void>(null)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const send = async (files: File[]) => {
    setFailure(null)
    setSending(true)
    let first: string | null = null
    for (const file of files) {
      const uploaded = await uploadImport(file, first)
      // The files before it wait in the list.
      if (uploaded.failure) {
        setSending(false)
        setFailure(uploaded.failure)
        return
      }
      first ??= uploaded.id
    }
    setSending(false)
    if (first !== null) onUploaded(first)
  }
  return (
    <Stack gap="sm" className={classes.drop}>
      <Dropzone
        onDrop={files => void send(files)}
        onReject={([rejected]) => {
          const code = rejected?.errors[0]?.code ?? ''
          setFailure(failureFrom({ message: refusals[code] ?? importWords.unreadable, extensions: { code: 'INVALID' } }))
        }}
        accept={types}
        maxSize={maxFileBytes}
        multiple
        maxFiles={maxFiles}
        loading={isSending}
        disabled={isDisabled}
        className={classes.zone}
        // Only the button inside is clicked and reached by keys.
        openRef={choose}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
      >
        <Group gap="md" justify="center">
          <IconFileSpreadsheet size={32} stroke={1.25} aria-hidden />
          <div>
            <Text fw={500}>{isGuest ? importWords.signUp : importWords.drop}</Text>
            <Text size="sm" c="dimmed">
              {importWords.dropSentence}
            </Text>
          </div>
          <Button disabled={isDisabled} onClick={() => choose.current?.()}>
            {importWords.choose}
          </Button>
        </Group>
      </Dropzone>
      {failure && <ErrorNotice failure={failure} />}
    </Stack>
  )
}
