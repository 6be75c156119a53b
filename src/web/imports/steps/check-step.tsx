// The third step: the outcomes of all rows, and their problems, whose cells are corrected in place.

import { Button, Group, Radio, Stack, Text, TextInput, Title } from '@mantine/core'
import { type ImportNoun, onConflictValues } from '../../generated/schema.ts'
import { importWords } from '../../language/en/inputs/imports.ts'
import { countText, numberText } from '../../language/format.ts'
import { sentence } from '../../language/values.ts'
import { Status } from '../../pieces/status.tsx'
import classes from '../imports.module.css'
import { type Answers, type ImportCheck, mayEdit } from '../settings.ts'

interface CheckStepProps {
  noun: ImportNoun
  check: ImportCheck
  isReading: boolean
  answers: Answers
  change(next: Partial<Answers>): void
  mayWrite: boolean
}

const rows = (count: number) => countText(count, importWords.row)

export function CheckStep({ noun, check, isReading, answers, change, mayWrite }: CheckStepProps) {
  const { edits, leftOut, onConflict } = answers
  const errors = check.problems.filter(({ kind }) => kind === 'ERROR')
  const warnings = check.problems.filter(({ kind }) => kind === 'WARNING')
  const edit = (row: number, column: number, value: string) => {
    const others = edits.filter(one => one.row !== row || one.column !== column)
    if (mayEdit(answers)) change({ edits: [...others, { row, column, value }] })
  }
  const parts = [
    countText(check.createdCount, importWords.newOf[noun]),
    ...(check.updatedCount > 0 ? [importWords.willChange(check.updatedCount)] : []),
    ...(check.skippedCount > 0 ? [importWords.willStay(check.skippedCount)] : []),
    ...(check.refusedCount > 0 ? [importWords.leftOutRows(rows(check.refusedCount))] : []),
  ]
  return (
    <Stack gap="lg" aria-busy={isReading}>
      <div aria-live="polite">
        <Text fw={600} size="lg">
          {parts.join(', ')}
        </Text>
        <Text size="sm" c="dimmed">
          {check.isWhole ? importWords.allChecked(rows(check.checkedCount)) : importWords.firstChecked(rows(check.checkedCount))}
        </Text>
      </div>
      {(check.existingCount > 0 || onConflict !== null) && (
        <Radio.Group
          label={importWords.existing(rows(check.existingCount))}
          value={onConflict ?? 'REFUSE'}
          onChange={value => change({ onConflict: onConflictValues.find(one => one === value) ?? null })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="REFUSE" label={importWords.refuseRow} disabled={!mayWrite} />
            <Radio value="SKIP" label={importWords.skipRow} disabled={!mayWrite} />
            <Radio value="UPDATE" label={importWords.updateRow} disabled={!mayWrite} />
          </Stack>
        </Radio.Group>
      )}
      {errors.length > 0 && (
        <Problems title={importWords.errors} hint={importWords.errorsHint} problems={errors} edit={edit} mayWrite={mayWrite} />
      )}
      {warnings.length > 0 && (
        <Problems
          title={importWords.warnings}
          hint={importWords.warningsHint}
          problems={warnings}
          edit={edit}
          leaveOut={mayEdit(answers) ? row => change({ leftOut: [...leftOut, row] }) : undefined}
          mayWrite={mayWrite}
        />
      )}
      {edits.length > 0 && (
        <Group gap="xs">
          <Text size="sm">{importWords.corrected(edits.length)}</Text>
          <Button variant="subtle" size="compact-sm" disabled={!mayWrite} onClick={() => change({ edits: [] })}>
            {importWords.takeBack}
          </Button>
        </Group>
      )}
      {leftOut.length > 0 && (
        <Group gap="xs">
          <Text size="sm">{importWords.youLeaveOut(rows(leftOut.length))}</Text>
          <Button variant="subtle" size="compact-sm" disabled={!mayWrite} onClick={() => change({ leftOut: [] })}>
            {importWords.importAfterAll(leftOut.length)}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface ProblemsProps {
  title: string
  hint: string
  problems: ImportCheck['problems']
  edit(row: number, column: number, value: string): void
  /** Rows with warnings alone: the others are left out anyway. */
  leaveOut?: ((row: number) => void) | undefined
  mayWrite: boolean
}

function Problems({ title, hint, problems, edit, leaveOut, mayWrite }: ProblemsProps) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {hint}
      </Text>
      {problems.map(({ kind, column, columnName, message, rowCount, cells }) => (
        <details key={`${column} ${message}`} className={classes.problem} open={problems.length === 1}>
          <summary>
            <Status tone={kind === 'ERROR' ? 'failing' : 'waiting'} label={rows(rowCount)} />{' '}
            <Text component="span" size="sm" ml={8} className={classes.anywhere}>
              {columnName === null ? sentence(message) : `${columnName}: ${message}`}
            </Text>
          </summary>
          <ul className={classes.cells}>
            {cells.map(({ row, value }) => (
              <li key={row} className={classes.problemCell}>
                <Text component="span" size="xs" c="dimmed">
                  {row > 0 ? importWords.rowNumber(row) : importWords.theFile}
                </Text>
                {column === null || row === 0 ? (
                  <Text size="sm" className={classes.anywhere}>
                    {value}
                  </Text>
                ) : (
                  <TextInput
                    aria-label={importWords.cellOf(columnName, row)}
                    defaultValue={value}
                    maxLength={1000}
                    disabled={!mayWrite}
                    onBlur={({ currentTarget }) => currentTarget.value !== value && edit(row, column, currentTarget.value)}
                    onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
                  />
                )}
                {leaveOut && row > 0 && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={importWords.leaveOutRow(row)}
                    disabled={!mayWrite}
                    onClick={() => leaveOut(row)}
                  >
                    {importWords.leaveOut}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {rowCount > cells.length && (
            <Text size="xs" c="dimmed">
              {importWords.andMore(numberText(rowCount - cells.length))}
            </Text>
          )}
        </details>
      ))}
    </section>
  )
}
