// The steps of an import before its start: columns, values, check. Each is a screen with Back and Next.

import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Failure } from '../data/failure.ts'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { CancelImportDocument, CheckImportDocument, StartImportDocument } from '../generated/documents/imports.ts'
import type { StartContactImportInput } from '../generated/operations.ts'
import { importWords } from '../language/en/inputs/imports.ts'
import { countText } from '../language/format.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { useImportFields } from './fields.ts'
import classes from './imports.module.css'
import { fieldOptions, type ImportToMap, mappingInput } from './mapping.ts'
import { dropAnswers, type Step, settingsOf, useAnswers } from './settings.ts'
import { CheckStep } from './steps/check-step.tsx'
import { ColumnsStep } from './steps/columns-step.tsx'
import { Steps } from './steps/steps.tsx'
import { ValuesStep } from './steps/values-step.tsx'

interface ImportSetupProps {
  /** The way on in an import of several files: its button, and what it does with the settings of this one. */
  next?: { label: string; isRunning: boolean; failure: Failure | null; go(settings: StartContactImportInput): void }
  found: ImportToMap
  mayWrite: boolean
  isGuest: boolean
}

export function ImportSetup({ next, found, mayWrite, isGuest }: ImportSetupProps) {
  const [answers, change] = useAnswers(found)
  const fields = useImportFields(found.noun)
  const options = fieldOptions(found.fields, fields)
  const start = useMutationWithProblems(StartImportDocument)
  const cancel = useMutationWithProblems(CancelImportDocument)
  const navigate = useNavigate()
  const isEmpty = mappingInput(answers.mapping).length === 0
  const isBehind = answers.step !== 'columns' && !isEmpty
  // The values of the file without any choice, and then the check with the choices: the same question where there are none.
  const first = useRead(CheckImportDocument, settingsOf(found.id, { ...answers, onConflict: null, edits: [], leftOut: [] }, []), {
    isOn: isBehind,
  })
  const unknown = first.data?.checkContactImport.unknownValues ?? []
  const settings = settingsOf(found.id, answers, unknown)
  const step: Step = !isBehind ? 'columns' : answers.step === 'values' && first.data && unknown.length === 0 ? 'check' : answers.step
  const check = useRead(CheckImportDocument, settings, { isOn: step === 'check' && first.data !== undefined })
  const failure = start.failure ?? cancel.failure ?? next?.failure ?? null
  const go = (to: Step) => {
    change({ step: to })
    document.getElementById('import-step')?.focus()
  }
  const discard = async () => {
    const { data } = await cancel.run({ input: { id: found.id } })
    if (!data) return
    dropAnswers(found.id)
    // One of several files is only taken out; the first one takes the others with it.
    if (found.partOf === null) void navigate({ to: '/imports', replace: true })
  }
  const begin = async () => {
    const { data } = await start.run({ input: settings })
    if (data) dropAnswers(found.id)
  }
  const isReading = first.isReading || check.isReading
  const result = check.data?.checkContactImport
  const count = result ? result.createdCount + result.updatedCount + result.skippedCount : 0
  return (
    <Stack gap="lg" maw={960}>
      <Steps step={step} />
      {step === 'columns' && <ColumnsStep found={found} answers={answers} change={change} options={options} mayWrite={mayWrite} />}
      {step !== 'columns' && (first.failure || !first.data) && <Unread read={first} />}
      {step === 'values' && first.data && (
        <ValuesStep check={first.data.checkContactImport} answers={answers} change={change} fields={fields} mayWrite={mayWrite} />
      )}
      {step === 'check' && first.data && (check.failure || !result) && <Unread read={check} />}
      {step === 'check' && result && !check.failure && (
        <CheckStep noun={found.noun} check={result} isReading={isReading} answers={answers} change={change} mayWrite={mayWrite} />
      )}
      <div className={classes.actions}>
        {failure && <ErrorNotice failure={failure} />}
        <Group gap="xs">
          {step !== 'columns' && (
            <Button variant="default" onClick={() => go(step === 'check' && unknown.length > 0 ? 'values' : 'columns')}>
              {importWords.back}
            </Button>
          )}
          {step === 'check' && next ? (
            <Button key="next-file" disabled={!mayWrite || isReading} loading={next.isRunning} onClick={() => next.go(settings)}>
              {next.label}
            </Button>
          ) : step === 'check' ? (
            <Button key="import" disabled={!mayWrite || isReading || count === 0} loading={start.isRunning} onClick={() => void begin()}>
              {isGuest ? importWords.signUpToImport : importWords.import(countText(count, importWords.row))}
            </Button>
          ) : (
            <Button
              key={step}
              disabled={isEmpty || (step === 'values' && !first.data)}
              onClick={() => go(step === 'columns' ? 'values' : 'check')}
            >
              {importWords.next}
            </Button>
          )}
          <Button
            variant="subtle"
            color="gray"
            disabled={!mayWrite || start.isRunning}
            loading={cancel.isRunning}
            onClick={() => void discard()}
          >
            {importWords.discard}
          </Button>
          {isEmpty && (
            <Text size="sm" c="dimmed">
              {importWords.fieldNeeded}
            </Text>
          )}
        </Group>
      </div>
    </Stack>
  )
}
